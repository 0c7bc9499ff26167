import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Money = Outputs['unexpectedMoney']['get']
type MoneyKind = Money['kind']
type MoneyStatus = Money['status']
export type Challenged = Outputs['challengedPayments']['list']['items'][number]
export type Unknown = Outputs['unknownPayments']['list']['items'][number]

export const kindWords = words({
  en: {
    unknown_reference: 'Unknown reference',
    second_payment: 'Paid twice',
    overpaid: 'Too much',
    underpaid: 'Too little',
    late: 'Late',
    reversal: 'Taken back',
  },
  id: {
    unknown_reference: 'Referensi tidak dikenal',
    second_payment: 'Dibayar dua kali',
    overpaid: 'Berlebih',
    underpaid: 'Kurang',
    late: 'Terlambat',
    reversal: 'Ditarik kembali',
  },
} satisfies Record<'en' | 'id', Record<MoneyKind, string>>)

export const kindMeanings = words({
  en: {
    unknown_reference: 'Money came under a reference that no payment of this account has.',
    second_payment: 'The payment was paid already, and money came for it once more.',
    overpaid: 'More came than was agreed.',
    underpaid: 'Less came than was agreed.',
    late: 'Money came when the payment was over already: expired, cancelled or failed.',
    reversal: 'The provider took back what had been paid.',
  },
  id: {
    unknown_reference: 'Dana masuk dengan referensi yang tidak dimiliki pembayaran mana pun di akun ini.',
    second_payment: 'Pembayaran sudah lunas, lalu dana masuk sekali lagi.',
    overpaid: 'Dana yang masuk melebihi jumlah yang disepakati.',
    underpaid: 'Dana yang masuk kurang dari jumlah yang disepakati.',
    late: 'Dana masuk ketika pembayaran sudah berakhir: kedaluwarsa, dibatalkan, atau gagal.',
    reversal: 'Penyedia menarik kembali dana yang sudah dibayarkan.',
  },
} satisfies Record<'en' | 'id', Record<MoneyKind, string>>)

export const moneyTones: Record<MoneyStatus, Tone> = { open: 'doubt', accepted: 'good', refunded: 'over' }
export const moneyStatuses = Object.keys(moneyTones) as MoneyStatus[]

export const moneyStatusWords = words({
  en: { open: 'Open', accepted: 'Accepted', refunded: 'Refunded' },
  id: { open: 'Terbuka', accepted: 'Diterima', refunded: 'Dikembalikan' },
} satisfies Record<'en' | 'id', Record<MoneyStatus, string>>)
