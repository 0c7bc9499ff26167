// A tenant's request limits in one process. For each limit, the tenant's value takes precedence over the tier's,
// and the tier's over the default.

import type { Tier } from '../tenants/tenant.ts'

export type Limits = {
  /** The number of requests per second the service accepts from each API key and each user. */
  requestsPerSecond: number
  /**
   * The burst size, in seconds. After a pause, the service accepts up to `requestsPerSecond` × `burstSeconds`
   * requests at once.
   */
  burstSeconds: number
  /**
   * A tenant's maximum number of requests in flight. The defaults allow a burst of requests. They are at most half of
   * all slots, because a single owner of slots never gets more (fair-slots.ts).
   */
  requestsInFlight: number
}

export const defaultLimits: Record<Tier, Limits> = {
  starter: { requestsPerSecond: 50, burstSeconds: 2, requestsInFlight: 128 },
  growth: { requestsPerSecond: 200, burstSeconds: 2, requestsInFlight: 400 },
  enterprise: { requestsPerSecond: 2_000, burstSeconds: 2, requestsInFlight: 512 },
}

/** The limits set for one tier or one tenant. Null means that the limit is inherited. */
export type OwnLimits = { [Name in keyof Limits]: number | null }
export type TierLimits = Record<Tier, OwnLimits>

export const inheritsAll: OwnLimits = { requestsPerSecond: null, burstSeconds: null, requestsInFlight: null }

export const limitsOfTier = (tier: Tier, tiers: TierLimits): Limits =>
  overridden(defaultLimits[tier], tiers[tier])

export const limitsOfTenant = (tier: Tier, tiers: TierLimits, own: OwnLimits): Limits =>
  overridden(limitsOfTier(tier, tiers), own)

const overridden = (inherited: Limits, own: OwnLimits): Limits => ({
  requestsPerSecond: own.requestsPerSecond ?? inherited.requestsPerSecond,
  burstSeconds: own.burstSeconds ?? inherited.burstSeconds,
  requestsInFlight: own.requestsInFlight ?? inherited.requestsInFlight,
})
