// Parses the service's text about a difference so that the dashboard can translate it. An unknown text, such as one
// from an earlier version, is shown unchanged.

import { type DetailText, detailTexts, EXPLAINED } from '@gapura/server/difference-detail'
import { parserOf } from '../format/filled-text.ts'
import { words } from '../language/language.tsx'

type Values = { ours: string; theirs: string; line: string }
export type Detail = { text: DetailText; values: Partial<Values>; isExplained: boolean }

const parse = parserOf(detailTexts, { ours: '\\w+', line: '\\d+', theirs: '.+' })

export function detailOf(said: string): Detail | undefined {
  const isExplained = said.endsWith(EXPLAINED)
  const detail = parse(isExplained ? said.slice(0, -EXPLAINED.length) : said)
  return detail && { ...detail, isExplained }
}

type Texts = Record<DetailText, (values: Values) => string>

export const detailWords = words({
  en: {
    texts: {
      credited_twice: () => 'The ledger credits the payment more than once.',
      credited_unpaid: () => 'The ledger has a credit for the payment, but the payment is not paid.',
      not_credited: () => 'The payment is paid, but the ledger has no credit for it.',
      credited_amount: () => 'The amount credited in the ledger differs from the amount paid.',
      settled_unpaid: ({ ours }) =>
        `The provider settled the payment, but its status in Gapura is “${ours}”.`,
      returned_unpaid: ({ ours }) =>
        `The provider received and returned money, but the status in Gapura is “${ours}”.`,
      not_settled: () => 'The payment is paid in Gapura, but no settlement contains it.',
      settled_twice: () => 'The provider settled the payment more often than it was credited.',
      credited_more: () => 'The ledger credits more for the payment than the provider settled.',
      settled_amount: () => 'The amount that the provider settled differs from the amount paid.',
      not_debited: () => 'The provider returned money from the payment, but the ledger has no debit for it.',
      not_returned: () => 'The ledger has a debit for the payment, but the provider returned no money.',
      returned_amount: () =>
        'The amount that the provider returned to the payer differs from the amount that the ledger debited.',
      debited_paid: () => 'The ledger debited the payment, but the provider reports it as paid.',
      reported_amount: () => 'The provider reports a different amount.',
      reported_paid: ({ ours }) => `The provider reports “Paid”, but the status in Gapura is “${ours}”.`,
      reported_unpaid: ({ theirs }) => `The payment is paid in Gapura, but the provider reports “${theirs}”.`,
      reported_status: ({ ours, theirs }) =>
        `The status in Gapura is “${ours}”, but the provider reports “${theirs}”.`,
      reported_reason: ({ ours, theirs }) =>
        `The status in Gapura is “${ours}”. The provider reports: “${theirs}”.`,
      unmatched_line: ({ line }) => `Line ${line} of the settlement matches no payment of this account.`,
    },
    explained: 'This difference is explained by an item in the Inbox that waits for a decision.',
    nowhere: 'No such payment',
  },
  id: {
    texts: {
      credited_twice: () => 'Buku besar mengkreditkan pembayaran ini lebih dari satu kali.',
      credited_unpaid: () => 'Buku besar mengkreditkan pembayaran ini, padahal pembayarannya belum lunas.',
      not_credited: () => 'Pembayaran sudah lunas, tetapi belum dikreditkan di buku besar.',
      credited_amount: () => 'Jumlah yang dikreditkan di buku besar berbeda dari jumlah yang dibayar.',
      settled_unpaid: ({ ours }) =>
        `Pembayaran ini ada di settlement penyedia, tetapi statusnya di Gapura “${ours}”.`,
      returned_unpaid: ({ ours }) =>
        `Penyedia menerima lalu mengembalikan dana, tetapi statusnya di Gapura “${ours}”.`,
      not_settled: () => 'Pembayaran lunas di Gapura, tetapi tidak ada di settlement mana pun.',
      settled_twice: () => 'Pembayaran ini lebih sering muncul di settlement daripada dikreditkan.',
      credited_more: () => 'Buku besar mengkreditkan lebih banyak daripada jumlah di settlement.',
      settled_amount: () => 'Jumlah di settlement berbeda dari jumlah yang dibayar.',
      not_debited: () =>
        'Penyedia mengembalikan dana pembayaran ini, tetapi tidak ada debitnya di buku besar.',
      not_returned: () =>
        'Ada debit untuk pembayaran ini di buku besar, tetapi penyedia tidak mengembalikan dana.',
      returned_amount: () =>
        'Jumlah yang dikembalikan penyedia berbeda dari jumlah yang didebit di buku besar.',
      debited_paid: () => 'Pembayaran ini sudah didebit di buku besar, tetapi penyedia melaporkannya lunas.',
      reported_amount: () => 'Penyedia melaporkan jumlah yang berbeda.',
      reported_paid: ({ ours }) => `Penyedia melaporkan “Lunas”, tetapi statusnya di Gapura “${ours}”.`,
      reported_unpaid: ({ theirs }) => `Pembayaran lunas di Gapura, tetapi penyedia melaporkan “${theirs}”.`,
      reported_status: ({ ours, theirs }) =>
        `Statusnya di Gapura “${ours}”, tetapi penyedia melaporkan “${theirs}”.`,
      reported_reason: ({ ours, theirs }) =>
        `Statusnya di Gapura “${ours}”. Penyedia melaporkan: “${theirs}”.`,
      unmatched_line: ({ line }) =>
        `Baris ${line} pada settlement tidak cocok dengan pembayaran mana pun di akun ini.`,
    },
    explained: 'Ada dana tak terduga di Kotak masuk yang menjelaskan selisih ini.',
    nowhere: 'Pembayaran tidak ada',
  },
} satisfies Record<'en' | 'id', { texts: Texts; explained: string; nowhere: string }>)
