// An API key consists of `gp_live_` or `gp_test_`, 32 random base-62 characters, and a 6-character CRC-32 of
// everything before it. With this checksum, a mistyped key is detected without a database query, and secret scanners
// recognize real keys.

import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../../values/mode.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function newApiKey(mode: Mode): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join('')
  const body = `gp_${mode}_${random}`
  return body + checksum(body)
}

/**
 * Returns whether the text is a well-formed API key with a correct checksum. Only such a key is looked up in the
 * database.
 */
export function isApiKey(text: string): boolean {
  return /^gp_(live|test)_[0-9A-Za-z]{38}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)
}

/** Returns the first characters of an API key: enough to recognize it in lists, but too few to guess it. */
export const displayPrefix = (key: string): string => key.slice(0, 12)

/** Returns the CRC-32 in six base-62 digits, which suffice because 62^6 exceeds 2^32. */
function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
