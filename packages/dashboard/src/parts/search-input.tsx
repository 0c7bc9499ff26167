import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'

type Given = Omit<TextInputProps, 'ref' | 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  /** What the address says. */
  value: string | undefined
  onSearch: (searched: string | undefined) => void
}

const PAUSE_MS = 300

/** Keeps what is typed to itself until the typing pauses, so that the address never takes back the latest letters. */
export function SearchInput({ value, onSearch, ...input }: Given) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value ?? '')
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Changed from elsewhere, e.g. because the filters were cleared.
    if (value !== sent) {
      setSent(value)
      setTyped(value ?? '')
    }
  }
  const send = useDebouncedCallback(() => {
    const searched = field.current?.value.trim() || undefined
    setSent(searched)
    onSearch(searched)
  }, PAUSE_MS)
  return (
    <TextInput
      {...input}
      ref={field}
      type="search"
      value={typed}
      onChange={event => {
        setTyped(event.currentTarget.value)
        send()
      }}
    />
  )
}
