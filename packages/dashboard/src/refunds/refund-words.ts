import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Refund = Outputs['refunds']['ofPayment'][number]
export type RefundDetails = Outputs['refunds']['listDetails']['items'][number]
export type RefundOffer = NonNullable<Outputs['payments']['standing']['refund_offer']>
type RefundStatus = Refund['status']

export const refundTones: Record<RefundStatus, Tone> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
}
export const refundStatuses = Object.keys(refundTones) as RefundStatus[]

export const refundStatusWords = words({
  en: { pending: 'In progress', succeeded: 'Refunded', failed: 'Failed' },
  id: { pending: 'Diproses', succeeded: 'Selesai', failed: 'Gagal' },
} satisfies Record<'en' | 'id', Record<RefundStatus, string>>)

/**
 * Returns whether the refund is a chargeback that was credited back to the merchant. The failure reason shows why:
 * either the merchant won the chargeback, or the chargeback's amount was wrong and the correct amount was debited
 * instead.
 */
export const isCreditedBack = ({ origin, status }: Pick<Refund, 'origin' | 'status'>): boolean =>
  origin === 'chargeback' && status === 'failed'

export const creditedBackWords = words({
  en: { tag: 'Credited back', filter: 'Failed or credited back' },
  id: { tag: 'Dikreditkan kembali', filter: 'Gagal atau dikreditkan kembali' },
})

export const refundOriginWords = words({
  en: {
    merchant: 'Merchant',
    operator: 'Operator',
    provider: 'Made at the provider',
    chargeback: 'Chargeback',
  },
  id: {
    merchant: 'Merchant',
    operator: 'Operator',
    provider: 'Dilakukan di penyedia',
    chargeback: 'Chargeback',
  },
} satisfies Record<'en' | 'id', Record<Refund['origin'], string>>)

export const refundMethodWords = words({
  en: { provider: 'Refund by the provider', manual: 'Bank transfer by the operator' },
  id: { provider: 'Pengembalian oleh penyedia', manual: 'Transfer bank oleh operator' },
} satisfies Record<'en' | 'id', Record<Refund['method'], string>>)
