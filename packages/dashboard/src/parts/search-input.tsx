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
 * A search input that writes the search text to the URL only when the user pauses typing. If it wrote each
 * character, an older text from the URL could overwrite the characters typed last.
 */
export function SearchInput({ value, onSearch, ...input }: Given) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value ?? '')
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // The search text in the URL can also change although the user types nothing, for example if a button
    // clears the filters. The input then shows the text from the URL.
    if (value !== sent) {
      setSent(value)
      setTyped(value ?? '')
    }
  }
  const router = useRouter()
  const page = useRef(router.latestLocation.pathname)
  const send = useDebouncedCallback(() => {
    // The search is sent after a short pause in typing. If the user has already opened a search result, the search is not
    // sent. Otherwise, it would change the URL and take the user back to the list.
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
