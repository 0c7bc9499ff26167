import { useWords } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import { isWon, type Refund, refundStatusWords, refundTones, wonWords } from './refund-words.ts'

export function RefundStatusTag({ refund }: { refund: Pick<Refund, 'status' | 'origin'> }) {
  const names = useWords(refundStatusWords)
  const won = useWords(wonWords)
  return isWon(refund) ? (
    <Tag tone="good">{won.won}</Tag>
  ) : (
    <Tag tone={refundTones[refund.status]}>{names[refund.status]}</Tag>
  )
}
