// Parses a callback's recorded result, so that the dashboard can translate it. Unknown results are shown
// unchanged, for example reasons in a provider's own words.

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
    unchanged: (status: string) =>
      `The provider reported the status “${status}”, which does not change the payment.`,
    no_payment: 'No payment for this provider account has the reference or ID in the callback.',
    money_kept:
      'No payment for this provider account has the reference or ID in the callback. Decide in the Inbox what to do with the money.',
    paid_already: 'The payment was already paid. Decide in the Inbox what to do with the additional money.',
    further_part:
      'The payer paid another part of the payment’s amount. Decide in the Inbox what to do with this money.',
  },
  id: {
    unchanged: (status: string) => `Penyedia melaporkan status “${status}”, yang tidak mengubah apa pun.`,
    no_payment: 'Tidak ada pembayaran di akun penyedia ini dengan referensi atau ID dalam callback.',
    money_kept:
      'Tidak ada pembayaran di akun penyedia ini dengan referensi atau ID dalam callback. Putuskan penanganan dananya di Kotak masuk.',
    paid_already: 'Pembayaran sudah lunas. Putuskan penanganan dana tambahan ini di Kotak masuk.',
    further_part:
      'Pembayar membayar bagian lain dari jumlah pembayaran. Putuskan penanganan dana ini di Kotak masuk.',
  },
})
