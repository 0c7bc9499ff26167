// Classifies Duitku's error responses, which consist of an HTTP status and a text (docs.duitku.com/api, "HTTP Code").

import type { ProviderErrorKind } from '../provider.ts'

/**
 * Duitku's error messages that are definite rejections. Duitku checks the documented conditions before it creates a
 * transaction.
 */
const refusals: [status: number, text: RegExp, ProviderErrorKind][] = [
  [400, /^Minimum Payment \d+ IDR$/i, 'invalid'],
  // This error is `declined` and not `invalid`: Duitku publishes no maximum amount, so this service cannot
  // check the amount in advance.
  [400, /^Maximum Payment exceeded/i, 'declined'],
  [400, /^\w+ is mandatory$/i, 'invalid'],
  [400, /^length of \w+ can't > \d+$/i, 'invalid'],
  [400, /^Invalid Email Address$/i, 'invalid'],
  [400, /^Customer VA Name must not be empty/i, 'invalid'],
  [401, /^Wrong signature/i, 'unavailable'],
  [404, /^Merchant not found/i, 'unavailable'],
  [404, /^Payment channel not available/i, 'inactive'],
  [409, /^Payment amount must be equal to all item price/i, 'invalid'],
  // Duitku returns this error if the bank or wallet issued no number, QR code or page for the order. One possible
  // reason is that the channel does not work for the project. An order may exist, but the payer cannot pay it. NOTES.md
  // names the source.
  [500, /^Failed to generate /i, 'unavailable'],
]

/**
 * Returns the kind of an error response. `message` is undefined if the response is not in Duitku's format. `isObject`
 * is false if the response is only a JSON string. Apart from HTTP 429 and 503, an error that the table `refusals` does
 * not list has the kind `unknown`.
 */
export function errorKind(status: number, message: string | undefined, isObject: boolean): ProviderErrorKind {
  // HTTP 429 comes from a rate limiter, which rejects requests before Duitku processes them.
  if (status === 429) return 'unavailable'
  if (message === undefined) return 'unknown'
  // A 503 with only a JSON string may come from a proxy, so it does not show whether Duitku processed the
  // request.
  if (status === 503 && isObject) return 'unavailable'
  const text = message.trim().slice(0, 200)
  return refusals.find(([code, pattern]) => code === status && pattern.test(text))?.[2] ?? 'unknown'
}

/**
 * Returns whether a status response means that the order does not exist. Duitku documents no message for this case, so
 * the function looks for likely words such as "not found".
 */
export const isNotFound = (status: number, message: string): boolean =>
  (status === 400 || status === 404) &&
  /\b(transaction|order|merchantOrderId)\b.*\b(not found|tidak ditemukan)\b/i.test(message.slice(0, 200))

/**
 * How long inquiries for an account pause after Duitku has rejected one because of a block. Duitku blocks a project for
 * about an hour, and further requests may prolong the block. The pause is nevertheless shorter than the block, because
 * the money of every callback is credited only after an inquiry.
 */
export const BLOCK_PAUSE_MS = 15 * 60_000

/**
 * Returns whether Duitku rejects an inquiry because it blocks the project. Duitku documents the block, but not its
 * response to a blocked request. The function therefore looks for HTTP 403, which no documented error has, and for
 * likely wordings. If it wrongly detects a block, inquiries are only delayed, and no money is lost.
 */
export const isBlocked = (status: number, message: string): boolean =>
  status === 403 ||
  /\b(blocked|diblokir|too many|(hit|rate|request)s? (limit|rate))\b/i.test(message.slice(0, 200))
