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
 * A search input. The URL gets the text only when the user pauses typing. Otherwise, the URL could overwrite the
 * last typed characters.
 */
export function SearchInput({ value, onSearch, ...input }: Given) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value ?? '')
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Something else may change the URL, such as the button that clears the filters. The input then shows the
    // text from the URL.
    if (value !== sent) {
      setSent(value)
      setTyped(value ?? '')
    }
  }
  const router = useRouter()
  const page = useRef(router.latestLocation.pathname)
  const send = useDebouncedCallback(() => {
    // The user has opened a search result before the search was sent. Changing the URL now would take the user back
    // to the list.
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
