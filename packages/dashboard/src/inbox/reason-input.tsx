import { Textarea, type TextareaProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { reason: 'Reason' }, id: { reason: 'Alasan' } })

/** The reason for a decision. description: states who will read it. */
export function ReasonInput(given: TextareaProps) {
  return <Textarea label={useWords(text).reason} required autosize minRows={2} {...given} />
}
