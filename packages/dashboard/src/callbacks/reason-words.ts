// Parses the result that the service recorded for a callback, so that the dashboard can translate it. Unknown text is
// shown unchanged, because providers have reasons of their own.

import { words } from '../language/language.tsx'
import { type Status, statuses } from '../payments/payment-words.ts'

export type Reason =
  | { kind: 'unchanged'; status: Status }
  | { kind: 'no_payment'; isMoneyKept: boolean }
  | { kind: 'paid_already' }
  | { kind: 'further_part' }
  | { kind: 'other' }

const kept = 'waits for the Owner'

export function reasonOf(said: string): Reason {
  const [, reported] = /^a report of (\w+) changes nothing$/.exec(said) ?? []
  const status = statuses.find(each => each === reported)
  if (status) return { kind: 'unchanged', status }
  if (/^no payment of this account has the (reference|provider's id) /.test(said))
    return { kind: 'no_payment', isMoneyKept: said.endsWith(kept) }
  if (said === `the payment is paid already; this money ${kept}`) return { kind: 'paid_already' }
  if (said === `a further part of the amount; this money ${kept}`) return { kind: 'further_part' }
  return { kind: 'other' }
}

export const reasonWords = words({
  en: {
    unchanged: (status: string) => `It reports “${status}”, which changes nothing.`,
    no_payment: 'No payment of this account has its reference or id.',
    money_kept: 'No payment of this account has its reference or id; its money waits in the Inbox.',
    paid_already: 'The payment was paid already; this money waits in the Inbox.',
    further_part: 'It is a further part of the amount; this money waits in the Inbox.',
  },
  id: {
    unchanged: (status: string) => `Melaporkan “${status}”, yang tidak mengubah apa pun.`,
    no_payment: 'Tidak ada pembayaran akun ini dengan referensi atau ID-nya.',
    money_kept:
      'Tidak ada pembayaran akun ini dengan referensi atau ID-nya; dananya menunggu di Kotak masuk.',
    paid_already: 'Pembayaran sudah lunas; dana ini menunggu di Kotak masuk.',
    further_part: 'Bagian lain dari jumlahnya; dana ini menunggu di Kotak masuk.',
  },
})
