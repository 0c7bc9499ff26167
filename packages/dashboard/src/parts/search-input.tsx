import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'

type Given = Omit<TextInputProps, 'ref' | 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  /** The search text in the URL. */
  value: string | undefined
  onSearch: (searched: string | undefined) => void
}

const PAUSE_MS = 300

/**
 * Keeps typed text local until the typing pauses. Otherwise an update from the URL could remove the latest
 * characters.
 */
export function SearchInput({ value, onSearch, ...input }: Given) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value ?? '')
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // The URL changed elsewhere, for example because the filters were cleared.
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
