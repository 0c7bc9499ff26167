import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Money = Outputs['unexpectedMoney']['get']
type MoneyKind = Money['kind']
type MoneyStatus = Money['status']
export type Challenged = Outputs['challengedPayments']['list']['items'][number]
export type KeptDifference = Outputs['reconciliation']['listDifferences']['items'][number]
export type Unknown = Outputs['unknownPayments']['list']['items'][number]

export const kindWords = words({
  en: {
    unknown_reference: 'Unknown reference',
    second_payment: 'Paid twice',
    overpaid: 'Overpaid',
    underpaid: 'Underpaid',
    late: 'Paid late',
    increase: 'Amount increased',
    paid_after_reversal: 'Paid after reversal',
    reversal: 'Reversal',
    unconfirmed: 'Unconfirmed',
    refund: 'Refund',
    chargeback: 'Chargeback',
  },
  id: {
    unknown_reference: 'Referensi tidak dikenal',
    second_payment: 'Dibayar dua kali',
    overpaid: 'Lebih bayar',
    underpaid: 'Kurang bayar',
    late: 'Terlambat dibayar',
    increase: 'Jumlah bertambah',
    paid_after_reversal: 'Dibayar setelah ditarik',
    reversal: 'Ditarik kembali',
    unconfirmed: 'Belum dikonfirmasi',
    refund: 'Pengembalian dana',
    chargeback: 'Chargeback',
  },
} satisfies Record<'en' | 'id', Record<MoneyKind, string>>)

export const kindMeanings = words({
  en: {
    unknown_reference:
      'Money was received with a reference that matches no payment for this provider account.',
    second_payment: 'Money was received for a payment that was already paid.',
    overpaid: 'More money was received than agreed.',
    underpaid: 'Less money was received than agreed.',
    late: 'Money was received after the payment had expired, failed or been cancelled.',
    increase:
      'The provider corrected the amount received for this payment to a higher amount. This item is the difference.',
    paid_after_reversal: 'The provider reversed this payment and now reports it as paid again.',
    reversal: 'The provider reversed this payment after it was paid.',
    unconfirmed:
      'A callback reports money for a payment that has ended, or for an earlier charge attempt. The provider has not confirmed this money, or could not verify the payer. Look up the receipt at the provider before you decide.',
    refund: 'The provider reports that this payment was refunded to the payer, fully or in part.',
    chargeback: 'The payer’s bank reclaims the money for this payment.',
  },
  id: {
    unknown_reference:
      'Dana diterima dengan referensi yang tidak cocok dengan pembayaran mana pun di akun penyedia ini.',
    second_payment: 'Dana diterima lagi untuk pembayaran yang sudah lunas.',
    overpaid: 'Dana yang diterima lebih dari jumlah yang disepakati.',
    underpaid: 'Dana yang diterima kurang dari jumlah yang disepakati.',
    late: 'Dana diterima setelah pembayaran kedaluwarsa, gagal, atau dibatalkan.',
    increase:
      'Penyedia mengoreksi jumlah yang diterima untuk pembayaran ini menjadi lebih besar. Dana ini adalah selisihnya.',
    paid_after_reversal: 'Penyedia menarik kembali pembayaran ini, lalu melaporkannya lunas lagi.',
    reversal: 'Penyedia menarik kembali pembayaran ini setelah lunas.',
    unconfirmed:
      'Sebuah callback melaporkan dana untuk pembayaran yang sudah berakhir, atau untuk percobaan penagihan sebelumnya. Penyedia belum mengonfirmasi dana ini, atau tidak dapat memverifikasi pembayarnya. Periksa dana ini di penyedia sebelum mengambil keputusan.',
    refund:
      'Penyedia melaporkan bahwa dana pembayaran ini dikembalikan kepada pembayar, seluruhnya atau sebagian.',
    chargeback: 'Bank pembayar menarik kembali dana pembayaran ini.',
  },
} satisfies Record<'en' | 'id', Record<MoneyKind, string>>)

export const moneyTones: Record<MoneyStatus, Tone> = {
  open: 'doubt',
  accepted: 'good',
  refunded: 'over',
  dismissed: 'over',
}
export const moneyStatuses = Object.keys(moneyTones) as MoneyStatus[]

export const moneyStatusWords = words({
  en: { open: 'Open', accepted: 'Accepted', refunded: 'Refunded', dismissed: 'Dismissed' },
  id: { open: 'Terbuka', accepted: 'Diterima', refunded: 'Dikembalikan', dismissed: 'Diabaikan' },
} satisfies Record<'en' | 'id', Record<MoneyStatus, string>>)

/**
 * Returns whether the record is about money that went back to the payer, as a refund or a chargeback.
 */
export const isReturn = ({ kind }: Pick<Money, 'kind'>): boolean => kind === 'refund' || kind === 'chargeback'

export const returnStatusWords = words({
  en: { pending: 'In progress', succeeded: 'Completed', failed: 'Did not happen' },
  id: { pending: 'Sedang diproses', succeeded: 'Selesai', failed: 'Tidak terjadi' },
} satisfies Record<'en' | 'id', Record<NonNullable<Money['return_status']>, string>>)
