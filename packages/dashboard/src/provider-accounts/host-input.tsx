import { TextInput } from '@mantine/core'
import type { FocusEventHandler, ReactNode } from 'react'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    host: 'Own host',
    hint: "Leave it empty for the provider's own host of the mode.",
  },
  id: {
    host: 'Host sendiri',
    hint: 'Kosongkan untuk memakai host penyedia sesuai mode.',
  },
})

type Given = {
  value?: string | null
  onChange: (url: string | null) => void
  error?: ReactNode
  onFocus?: FocusEventHandler
  onBlur?: FocusEventHandler
}

/** Input for a base URL that replaces the provider's own. */
export function HostInput({ value, onChange, ...input }: Given) {
  const t = useWords(text)
  return (
    <TextInput
      label={t.host}
      description={t.hint}
      placeholder="https://"
      inputMode="url"
      {...input}
      value={value ?? ''}
      onChange={event => onChange(event.currentTarget.value.trim() || null)}
    />
  )
}
