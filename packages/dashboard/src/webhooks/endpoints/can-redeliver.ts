const SOON_MS = 35_000

type Delivery = { status: string; next_attempt_at: string | null }

/**
 * Returns whether the service accepts a redelivery of this delivery to an additional endpoint. A pending delivery can
 * be redelivered only if its next attempt is not soon.
 */
export const canRedeliver = ({ status, next_attempt_at }: Delivery, now: number): boolean =>
  status !== 'pending' || (next_attempt_at !== null && Date.parse(next_attempt_at) - now > SOON_MS)
