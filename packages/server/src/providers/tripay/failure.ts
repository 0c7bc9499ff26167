// Tripay's refusals are a sentence and nothing else, with HTTP 200 or an error's status, and it publishes no list of
// them: `Invalid API Key` alone is documented. So the sentence decides, in English or Indonesian, and only one that
// speaks of what is checked before anything is made counts as a refusal. Pure.

import type { ProviderErrorKind } from '../provider.ts'

/** An order of that reference may be one that an earlier request made. Looked for first: it wins over all others. */
const repeated = /\b(already|duplicate|duplikat|sudah|exists|has been taken)\b/

const refusals: [RegExp, ProviderErrorKind][] = [
  // Mended on our side, then the same order may pass. At its start: a bank's answer may have a bad signature, too.
  [/^(invalid|wrong|unauthorized) (api key|signature|merchant code|merchant|ip)\b/, 'unavailable'],
  [/^(api key|signature|kode merchant|ip) .*\b(tidak valid|tidak sesuai|salah)\b/, 'unavailable'],
  [/^unauthenticated\b/, 'unavailable'],
  [/\b(too many (requests|attempts)|rate limit|maintenance|pemeliharaan)\b/, 'unavailable'],
  [
    /\b(channel|method|metode|merchant)\b.*\b((not|tidak|belum) (active|activated|enabled|available|supported|allowed|aktif|diaktifkan|tersedia|diizinkan)|inactive|disabled|nonaktif)\b/,
    'inactive',
  ],
  // What is wrong is named by a field of ours; `invalid` alone may be said of the bank's answer.
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

/** message: undefined where the answer is not in Tripay's form. */
export function errorKind(status: number, message: string | undefined): ProviderErrorKind {
  // A limiter answers before anything runs, whoever's it is.
  if (status === 429) return 'unavailable'
  if (message === undefined) return 'unknown'
  const words = message.toLowerCase()
  if (repeated.test(words)) return 'unknown'
  // Their application's closed door speaks JSON; a proxy's page with 503 may hide anything.
  if (status >= 500) return status === 503 ? 'unavailable' : 'unknown'
  // A sentence is not longer; over a megabyte of one word these patterns would take minutes, for everybody.
  const sentence = words.slice(0, 500)
  return refusals.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'unknown'
}

/** Of a question about one transaction. */
export const saysAbsent = (message: string): boolean =>
  /\b(not found|tidak ditemukan)\b/.test(message.toLowerCase())
