import { useWords } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import {
  creditedBackWords,
  isCreditedBack,
  type Refund,
  refundStatusWords,
  refundTones,
} from './refund-words.ts'

export function RefundStatusTag({ refund }: { refund: Pick<Refund, 'status' | 'origin'> }) {
  const names = useWords(refundStatusWords)
  const creditedBack = useWords(creditedBackWords)
  return isCreditedBack(refund) ? (
    <Tag tone="over">{creditedBack.tag}</Tag>
  ) : (
    <Tag tone={refundTones[refund.status]}>{names[refund.status]}</Tag>
  )
}
