import { useWords } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import { type Status, statusTones, statusWords } from './payment-words.ts'

export function StatusTag({ status }: { status: Status }) {
  const names = useWords(statusWords)
  return <Tag tone={statusTones[status]}>{names[status]}</Tag>
}
