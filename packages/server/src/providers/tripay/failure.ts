// Classifies Tripay's errors. An error of Tripay is only a message, sent with HTTP 200 or an error status, and Tripay
// publishes no list of messages: only `Invalid API Key` is documented. So the text decides, in English or Indonesian.
// Only a message about a check made before anything is created counts as a definite rejection. Pure.

import type { ProviderErrorKind } from '../provider.ts'

/**
 * Matches an error about a reference that exists already: an earlier request may have created the order. This pattern
 * is checked first, because it overrides every other match.
 */
const repeated = /\b(already|duplicate|duplikat|sudah|exists|has been taken)\b/

const refusals: [RegExp, ProviderErrorKind][] = [
  // These errors are about our credentials or settings, which we can fix; the same order may then succeed. They match
  // only at the start of the message, because a bank's error may also mention a bad signature.
  [/^(invalid|wrong|unauthorized) (api key|signature|merchant code|merchant|ip)\b/, 'unavailable'],
  [/^(api key|signature|kode merchant|ip) .*\b(tidak valid|tidak sesuai|salah)\b/, 'unavailable'],
  [/^unauthenticated\b/, 'unavailable'],
  [/\b(too many (requests|attempts)|rate limit|maintenance|pemeliharaan)\b/, 'unavailable'],
  [
    /\b(channel|method|metode|merchant)\b.*\b((not|tidak|belum) (active|activated|enabled|available|supported|allowed|aktif|diaktifkan|tersedia|diizinkan)|inactive|disabled|nonaktif)\b/,
    'inactive',
  ],
  // The message must name one of our fields, because the word `invalid` alone may refer to the bank's response.
  [
    /\b(amount|nominal|customer[ _](name|email|phone)|email|order[ _]items?|expired[ _]time|callback[ _]url|method|metode|merchant[ _]ref)\b.*\b(required|must|invalid|minimum|maximum|at least|at most|harus|wajib|diisi|valid|minimal|maksimal)\b/,
    'invalid',
  ],
  [/\b(minimum|minimal|maximum|maksimal)\b.*\b(amount|nominal|transaction|transaksi)\b/, 'invalid'],
  [
    /\b(transaction|transaksi|order|payment|pembayaran|customer|pelanggan)\b.*\b(rejected|declined|not allowed|ditolak|tidak diizinkan|diblokir|blocked)\b/,
    'declined',
  ],
]

/** Classifies an error response. `message` is undefined if the response is not in Tripay's format. */
export function errorKind(status: number, message: string | undefined): ProviderErrorKind {
  // A rate limiter of Tripay or of a proxy responds before the request is processed.
  if (status === 429) return 'unavailable'
  if (message === undefined) return 'unknown'
  const words = message.toLowerCase()
  if (repeated.test(words)) return 'unknown'
  // Tripay's own response during maintenance is JSON. A 503 page of a proxy could hide any outcome.
  if (status >= 500) return status === 503 ? 'unavailable' : 'unknown'
  // Only the start of the message is matched. No real message is longer, and on a megabyte of text these patterns could
  // block the process for minutes.
  const sentence = words.slice(0, 500)
  return refusals.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'unknown'
}

/** Whether the error message means that an inquiry about one transaction found nothing. */
export const saysAbsent = (message: string): boolean =>
  /\b(not found|tidak ditemukan)\b/.test(message.toLowerCase())
