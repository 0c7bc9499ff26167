import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Delivery = Outputs['webhooks']['deliveries']['items'][number]
/** A delivery with the request that was sent. */
export type WholeDelivery = Outputs['webhooks']['delivery']
export type Attempt = Delivery['attempts'][number]
type Status = Delivery['status']

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

/** Returns the last attempt. The API lists attempts oldest first. */
export const lastAttempt = ({ attempts }: Delivery): Attempt | undefined => attempts.at(-1)
