import { useWords } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import { type Refund, refundStatusWords, refundTones } from './refund-words.ts'

export function RefundStatusTag({ status }: Pick<Refund, 'status'>) {
  const names = useWords(refundStatusWords)
  return <Tag tone={refundTones[status]}>{names[status]}</Tag>
}
