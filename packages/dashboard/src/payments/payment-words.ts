import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Payment = Outputs['payments']['get']
export type Status = Payment['status']
export type MethodType = Payment['method_type']

export const statusTones: Record<Status, Tone> = {
  pending: 'waiting',
  paid: 'good',
  failed: 'bad',
  expired: 'over',
  cancelled: 'over',
  challenged: 'doubt',
}
export const statuses = Object.keys(statusTones) as Status[]

export const statusWords = words({
  en: {
    pending: 'Pending',
    paid: 'Paid',
    failed: 'Failed',
    expired: 'Expired',
    cancelled: 'Cancelled',
    challenged: 'Challenged',
  },
  id: {
    pending: 'Menunggu',
    paid: 'Lunas',
    failed: 'Gagal',
    expired: 'Kedaluwarsa',
    cancelled: 'Dibatalkan',
    challenged: 'Perlu ditinjau',
  },
} satisfies Record<'en' | 'id', Record<Status, string>>)

export const methodWords = words({
  en: {
    virtual_account: 'Virtual account',
    qris: 'QRIS',
    e_wallet: 'E-wallet',
    over_the_counter: 'Over the counter',
  },
  id: {
    virtual_account: 'Virtual account',
    qris: 'QRIS',
    e_wallet: 'Dompet digital',
    over_the_counter: 'Gerai ritel',
  },
} satisfies Record<'en' | 'id', Record<MethodType, string>>)
export const methodTypes = Object.keys(methodWords.en) as MethodType[]

/** Returns the bank code, wallet code or store name used for the payment, or an empty text for QRIS. */
export function channelOf({ method_data: data }: Payment): string {
  switch (data.type) {
    case 'virtual_account':
      return data.bank
    case 'e_wallet':
      return data.wallet_type
    case 'over_the_counter':
      return data.store_name
    case 'qris':
      return ''
  }
}
