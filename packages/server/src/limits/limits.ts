// How much a tenant may ask of one process. A limit of the tenant's own overrides that of its tier, and a tier's
// overrides the default; each limit by itself.

import type { Tier } from '../tenants/tenant.ts'

export type Limits = {
  /** Of each API key, and of each user. */
  requestsPerSecond: number
  /** A burst after a pause may hold as many requests as the rate allows in this time. */
  burstSeconds: number
  /** Of the tenant: room for a burst of its keys, and at most the half that an owner gets (fair-places.ts). */
  requestsInFlight: number
}

export const defaultLimits: Record<Tier, Limits> = {
  starter: { requestsPerSecond: 50, burstSeconds: 2, requestsInFlight: 128 },
  growth: { requestsPerSecond: 200, burstSeconds: 2, requestsInFlight: 400 },
  enterprise: { requestsPerSecond: 2_000, burstSeconds: 2, requestsInFlight: 512 },
}

/** Limits that were set for one tier or one tenant; null is inherited. */
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
