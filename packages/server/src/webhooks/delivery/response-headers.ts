// Selects the headers of a webhook response that are stored and shown to the merchant. Leaves out connection
// headers, and also cookies, because cookies may identify a session. The total size is limited, because a
// receiver can send any number of headers.

/** The maximum combined length of all stored header names and values, in characters. */
const STORED_CHARACTERS = 1_024
const CHARACTERS_OF_VALUE = 256

const omitted = /^(set-cookie2?|connection|keep-alive|transfer-encoding)$/i

type ReceivedHeaders = Record<string, string | string[] | undefined>

/** Returns the response headers to store, with lowercase names. Headers beyond the size limit are left out. */
export function shownHeaders(received: ReceivedHeaders): Record<string, string> {
  const shown: Record<string, string> = {}
  let room = STORED_CHARACTERS
  for (const [name, value = ''] of Object.entries(received)) {
    if (omitted.test(name)) continue
    const text = (typeof value === 'string' ? value : value.join(', ')).slice(0, CHARACTERS_OF_VALUE)
    room -= name.length + text.length
    if (room < 0) break
    // NUL characters are replaced, because PostgreSQL does not accept them in text.
    shown[name.toLowerCase()] = text.replaceAll('\0', '\ufffd').toWellFormed()
  }
  return shown
}
