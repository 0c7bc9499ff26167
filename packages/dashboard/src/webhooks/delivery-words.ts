import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Delivery = Outputs['webhooks']['deliveries']['items'][number]
/** A webhook delivery together with the request that was sent. */
export type WholeDelivery = Outputs['webhooks']['delivery']
export type Attempt = Delivery['attempts'][number]
type Status = Delivery['status']
export type EventType = Delivery['type']

export const deliveryTones: Record<Status, Tone> = {
  pending: 'waiting',
  delivered: 'good',
  permanently_failed: 'bad',
  not_configured: 'over',
}
export const deliveryStatuses = Object.keys(deliveryTones) as Status[]

export const deliveryWords = words({
  en: {
    pending: 'Pending',
    delivered: 'Delivered',
    permanently_failed: 'Failed',
    not_configured: 'No URL',
  },
  id: {
    pending: 'Menunggu',
    delivered: 'Terkirim',
    permanently_failed: 'Gagal',
    not_configured: 'Tanpa URL',
  },
} satisfies Record<'en' | 'id', Record<Status, string>>)

const events = {
  en: {
    'payment.paid': 'A payment was paid',
    'payment.failed': 'A payment failed',
    'payment.expired': 'A payment expired',
    'payment.cancelled': 'A payment was cancelled',
    'payment.challenged': 'A payment needs a decision',
    'payment.paid_again': 'A payment was paid again',
    'payment.reversed': 'The provider took back a payment’s money',
    'payment.refunded': 'A payment was refunded',
    'refund.failed': 'A refund failed',
    'webhook.test': 'A test event',
  },
  id: {
    'payment.paid': 'Pembayaran lunas',
    'payment.failed': 'Pembayaran gagal',
    'payment.expired': 'Pembayaran kedaluwarsa',
    'payment.cancelled': 'Pembayaran dibatalkan',
    'payment.challenged': 'Pembayaran perlu diputuskan',
    'payment.paid_again': 'Pembayaran dibayar lagi',
    'payment.reversed': 'Dana pembayaran ditarik kembali',
    'payment.refunded': 'Dana pembayaran dikembalikan',
    'refund.failed': 'Pengembalian dana gagal',
    'webhook.test': 'Event uji coba',
  },
} satisfies Record<'en' | 'id', Record<EventType, string>>
export const eventWords = words(events)
export const eventTypes = Object.keys(events.en) as EventType[]

/** Returns the most recent delivery attempt. The API lists attempts oldest first. */
export const lastAttempt = ({ attempts }: Delivery): Attempt | undefined => attempts.at(-1)
