// API keys: gp_live_ or gp_test_, 32 random base-62 characters, 6 characters of CRC-32 over all before them.
// The checksum tells a mistyped key without the database and lets secret scanners recognise a real one.

import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../mode.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function newApiKey(mode: Mode): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join('')
  const body = `gp_${mode}_${random}`
  return body + checksum(body)
}

/** Well formed, and therefore worth a look into the database. */
export function isApiKey(text: string): boolean {
  return /^gp_(live|test)_[0-9A-Za-z]{38}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)
}

/** What lists show of a key: enough to know it by, too little to guess it. */
export const displayPrefix = (key: string): string => key.slice(0, 12)

/** 62^6 exceeds 2^32, so six digits hold every CRC. */
function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
