import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'

type Given = Omit<TextInputProps, 'ref' | 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  /** The search text in the URL. */
  value: string | undefined
  onSearch: (searched: string | undefined) => void
}

const PAUSE_MS = 300

/**
 * A search input. The URL gets the search text only when the user pauses typing. Otherwise, the text from the
 * URL could overwrite the characters typed last.
 */
export function SearchInput({ value, onSearch, ...input }: Given) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value ?? '')
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // The URL can also change without typing, for example through the button that clears the filters. In that
    // case, the input shows the text from the URL.
    if (value !== sent) {
      setSent(value)
      setTyped(value ?? '')
    }
  }
  const router = useRouter()
  const page = useRef(router.latestLocation.pathname)
  const send = useDebouncedCallback(() => {
    // If the user has already opened a search result, the search is not sent. Changing the URL now would take the
    // user back to the list.
    if (router.latestLocation.pathname !== page.current) return
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
