import { Textarea } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { useState } from 'react'
import { useWords, words } from '../language/language.tsx'
import { isEqual } from '../parts/merge-edits.ts'

const text = words({
  en: {
    label: 'Callback source addresses',
    hint: 'One IP address or network (CIDR) per line. Callbacks from other addresses are rejected. Leave empty to accept any address.',
  },
  id: {
    label: 'Alamat sumber callback',
    hint: 'Satu alamat IP atau jaringan (CIDR) per baris. Callback dari alamat lain ditolak. Kosongkan untuk menerima dari alamat mana pun.',
  },
})

const linesOf = (typed: string): string[] =>
  typed
    .split(/[\s,]+/)
    .map(line => line.trim())
    .filter(line => line !== '')

type Given = { value: string[]; onChange: (sources: string[]) => void; errors: FormErrors }

export function SourcesInput({ value, onChange, errors }: Given) {
  const t = useWords(text)
  const [typed, setTyped] = useState(value.join('\n'))
  // The input shows the text exactly as the user typed it, until the form changes the value.
  const shown = isEqual(linesOf(typed), value) ? typed : value.join('\n')
  return (
    <Textarea
      label={t.label}
      description={t.hint}
      placeholder="192.0.2.0/24"
      autosize
      minRows={2}
      maxRows={10}
      // The field of an API error names the invalid line, for example callback_sources.1. The input shows the error
      // for the first invalid line.
      error={Object.entries(errors).find(([field]) => field.startsWith('callback_sources'))?.[1]}
      value={shown}
      onChange={event => {
        setTyped(event.currentTarget.value)
        onChange(linesOf(event.currentTarget.value))
      }}
    />
  )
}
