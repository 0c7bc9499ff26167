import { useWords } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import { type CallbackStatus, callbackTones, callbackWords } from './callback-words.ts'

export function CallbackTag({ status }: { status: CallbackStatus }) {
  const names = useWords(callbackWords)
  return <Tag tone={callbackTones[status]}>{names[status]}</Tag>
}
