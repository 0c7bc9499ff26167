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
    overpaid: 'Too much',
    underpaid: 'Too little',
    late: 'Late',
    increase: 'Increase',
    paid_after_reversal: 'Paid again',
    reversal: 'Taken back',
    refund: 'Refund',
    chargeback: 'Chargeback',
  },
  id: {
    unknown_reference: 'Referensi tidak dikenal',
    second_payment: 'Dibayar dua kali',
    overpaid: 'Berlebih',
    underpaid: 'Kurang',
    late: 'Terlambat',
    increase: 'Tambahan',
    paid_after_reversal: 'Dibayar lagi',
    reversal: 'Ditarik kembali',
    refund: 'Pengembalian dana',
    chargeback: 'Chargeback',
  },
} satisfies Record<'en' | 'id', Record<MoneyKind, string>>)

export const kindMeanings = words({
  en: {
    unknown_reference: 'Money came under a reference that no payment of this account has.',
    second_payment: 'The payment was paid already, and money came for it once more.',
    overpaid: 'More came than was agreed.',
    underpaid: 'Less came than was agreed.',
    late: 'Money came when the payment was over already: expired, cancelled or failed.',
    increase: 'The provider reports more for the receipt that paid the payment. This is the difference.',
    paid_after_reversal: 'The provider took the payment back, and now reports it as paid again.',
    reversal: 'The provider took back what had been paid.',
    refund: 'The provider reports that money of this payment was refunded to the payer.',
    chargeback: 'The bank of the payer takes the money of this payment back.',
  },
  id: {
    unknown_reference: 'Dana masuk dengan referensi yang tidak dimiliki pembayaran mana pun di akun ini.',
    second_payment: 'Pembayaran sudah lunas, lalu dana masuk sekali lagi.',
    overpaid: 'Dana yang masuk melebihi jumlah yang disepakati.',
    underpaid: 'Dana yang masuk kurang dari jumlah yang disepakati.',
    late: 'Dana masuk ketika pembayaran sudah berakhir: kedaluwarsa, dibatalkan, atau gagal.',
    increase:
      'Penyedia melaporkan jumlah yang lebih besar untuk tanda terima yang melunasi pembayaran. Ini selisihnya.',
    paid_after_reversal: 'Penyedia pernah menarik kembali pembayaran ini, lalu melaporkannya lunas lagi.',
    reversal: 'Penyedia menarik kembali dana yang sudah dibayarkan.',
    refund: 'Penyedia melaporkan bahwa dana pembayaran ini dikembalikan kepada pembayar.',
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

/** Whether the provider returned money to the payer. */
export const isReturn = ({ kind }: Pick<Money, 'kind'>): boolean => kind === 'refund' || kind === 'chargeback'

export const returnStatusWords = words({
  en: { pending: 'Under way', succeeded: 'Done', failed: 'Did not happen' },
  id: { pending: 'Sedang diproses', succeeded: 'Selesai', failed: 'Tidak terjadi' },
} satisfies Record<'en' | 'id', Record<NonNullable<Money['return_status']>, string>>)
