// Classifies Tripay's errors by their message (English or Indonesian, often with HTTP 200). Tripay documents only the
// message `Invalid API Key`. A message counts as a definite rejection only if it is about a check that Tripay makes
// before it creates anything.

import type { ProviderErrorKind } from '../provider.ts'

/**
 * Matches an error message about a duplicate reference. The outcome of the request is then unknown, because
 * an earlier request may have created the order. This pattern takes precedence over all patterns in
 * `refusals`. The words "not exists" are excluded, because Tripay uses them for an unknown payment method.
 */
const repeated = /\b(already|duplicate|duplikat|sudah|(?<!\bnot )exists|has been taken)\b/

const refusals: [RegExp, ProviderErrorKind][] = [
  // Errors about our credentials or settings. The same order may succeed after an operator corrects them. The
  // patterns for credential errors match only at the start of the message, because an error from a bank may
  // also mention a bad signature.
  [/^(invalid|wrong|unauthorized) (api key|signature|merchant code|merchant|ip)\b/, 'unavailable'],
  [
    /^you are trying to use (sandbox|production) api but with (sandbox|production) credential\b/,
    'unavailable',
  ],
  [/^(api key|signature|kode merchant|ip) .*\b(tidak valid|tidak sesuai|salah)\b/, 'unavailable'],
  [/^unauthenticated\b/, 'unavailable'],
  [/\b(too many (requests|attempts)|rate limit|maintenance|pemeliharaan)\b/, 'unavailable'],
  [
    /\b(channel|method|metode|merchant)\b.*\b((not|tidak|belum) (active|activated|enabled|available|supported|allowed|aktif|diaktifkan|tersedia|diizinkan)|inactive|disabled|nonaktif)\b/,
    'inactive',
  ],
  // Tripay's message about a channel code that it does not know. The pattern matches only at the start, because a bank's
  // error may contain similar words.
  [/^payment (method|channel) (is |does )?not exists?\b/, 'inactive'],
  // This pattern matches only messages that name a field of our request. In other messages, the word `invalid` may
  // refer to the bank's response.
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

/**
 * Classifies an error response. `message` is undefined if the response is not in Tripay's format. `hasSuccessFalse` is
 * true if the response contains Tripay's `success: false`.
 */
export function errorKind(
  status: number,
  message: string | undefined,
  hasSuccessFalse: boolean,
): ProviderErrorKind {
  // HTTP 429 comes from a rate limiter at Tripay or at a proxy, before Tripay processes the request.
  if (status === 429) return 'unavailable'
  if (message === undefined) return 'unknown'
  const words = message.toLowerCase()
  if (repeated.test(words)) return 'unknown'
  // A 503 without `success: false` may come from a gateway, even if its body is JSON. Such a response does
  // not show whether Tripay processed the request.
  if (status >= 500) return status === 503 && hasSuccessFalse ? 'unavailable' : 'unknown'
  // Only the start of the message is matched, because these patterns could block the process for minutes on a message
  // of one megabyte.
  const sentence = words.slice(0, 500)
  return refusals.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'unknown'
}

/** Returns whether the error message means that Tripay found no transaction. */
export const saysAbsent = (message: string): boolean =>
  /\b(not found|tidak ditemukan)\b/.test(message.toLowerCase())
