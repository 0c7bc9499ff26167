import { Textarea, type TextareaProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { reason: 'Reason' }, id: { reason: 'Alasan' } })

/** The input for the reason of a decision. `description` explains who can read the reason. */
export function ReasonInput(given: TextareaProps) {
  return <Textarea label={useWords(text).reason} required autosize minRows={2} {...given} />
}
