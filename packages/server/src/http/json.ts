// Parses JSON from callers and rejects duplicate keys. If a key occurs twice, JSON.parse uses the last value, but
// other parsers use the first. With `{"amount":1,"amount":2}`, a merchant's software could therefore check the amount
// 1 while this service charges 2.

import { fault } from '../faults/fault.ts'

/**
 * The maximum nesting depth of a request body. Valid bodies are far less deep: the deepest valid body has an array of
 * objects inside an object.
 */
const DEEPEST = 32

/**
 * Parses JSON text. If the text is not valid JSON, contains duplicate keys or is nested too deeply, throws BAD_REQUEST
 * with the reason.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw fault('body_not_json', {}, { field: 'body', cause: error })
  }
  refuseAmbiguous(text)
  return value
}

/**
 * Throws an error if an object in the text contains duplicate keys or if the text is nested too deeply. `text` must
 * be valid JSON.
 */
function refuseAmbiguous(text: string): void {
  /**
   * A stack of the objects and arrays that are not closed yet. For an object, the stack contains the set of its keys.
   * For an array, it contains `undefined`.
   */
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        break
      case '[':
        open.push(undefined)
        break
      case '}':
      case ']':
        open.pop()
        break
      case '"': {
        const end = endOfString(text, at)
        if (isKey(text, end)) noteKey(open.at(-1) as Set<string>, text.slice(at, end + 1))
        at = end
      }
    }
    if (open.length > DEEPEST) throw fault('body_too_deep', { most: DEEPEST }, { field: 'body' })
  }
}

function noteKey(keys: Set<string>, quoted: string): void {
  const key = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
  if (keys.has(key)) throw fault('body_repeats_key', { key: shown(key) }, { field: 'body' })
  keys.add(key)
}

/** Quotes a key for an error message. The key comes from the caller and can be long, so it is truncated. */
const shown = (key: string): string => JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key)

/** Returns the index of the quote that closes the string starting at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/**
 * Returns whether the string ending at `end` is an object key. In valid JSON, only a key is followed by a colon,
 * possibly after white space.
 */
function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return text[at] === ':'
}
