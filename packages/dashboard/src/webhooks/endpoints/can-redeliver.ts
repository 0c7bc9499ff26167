const SOON_MS = 35_000

type Delivery = { status: string; next_attempt_at: string | null }

/**
 * Returns whether the user can request that a delivery to an additional endpoint be sent again. If the delivery is
 * pending, the service accepts the request only while the next attempt is more than 35 seconds away.
 */
export const canRedeliver = ({ status, next_attempt_at }: Delivery, now: number): boolean =>
  status !== 'pending' || (next_attempt_at !== null && Date.parse(next_attempt_at) - now > SOON_MS)
