import { TextInput } from '@mantine/core'
import type { FocusEventHandler, ReactNode } from 'react'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    host: 'Custom host',
    hint: 'Leave empty to use the provider’s default host for this mode.',
  },
  id: {
    host: 'Host khusus',
    hint: 'Kosongkan untuk memakai host bawaan penyedia untuk mode ini.',
  },
})

type Given = {
  value?: string | null
  onChange: (url: string | null) => void
  error?: ReactNode
  onFocus?: FocusEventHandler
  onBlur?: FocusEventHandler
}

/** The input for a base URL that replaces the provider's default base URL. */
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
