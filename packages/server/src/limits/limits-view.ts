import { z } from 'zod'
import { type Tier, tiers } from '../tenants/tenant.ts'
import { defaultLimits, type Limits, limitsOfTier, type OwnLimits, type TierLimits } from './limits.ts'

const sources = ['tenant', 'tier', 'default'] as const
type Source = (typeof sources)[number]

const limitView = z
  .strictObject({
    value: z.int().meta({ description: 'Value of the limit that is in effect', example: 80 }),
    source: z.enum(sources).meta({
      description: 'Whether the value in effect is set for the tenant, for its tier, or is the default',
      example: 'tenant',
    }),
    inherited: z.int().meta({ description: 'The value of the limit after a reset', example: 50 }),
  })
  .meta({
    id: 'Limit',
    description: 'A limit in effect, and whether the tenant, its tier or the default sets it',
  })

const limits = {
  requests_per_second: limitView.meta({
    description:
      'Rate limit of each API key and each user, in requests per second. Each server process counts separately',
  }),
  burst_seconds: limitView.meta({
    description: 'Maximum burst after a pause, as the number of seconds of the rate limit',
  }),
  requests_in_flight: limitView.meta({
    description:
      'Maximum number of requests in flight for the tenant, across all its API keys and users. Each server process counts separately',
  }),
}

export const tierLimitsView = z
  .strictObject({ tier: z.enum(tiers), ...limits })
  .meta({ id: 'TierLimits', description: 'The request limits of a tier' })

export const tenantLimitsView = z
  .strictObject({ tenant_id: z.uuid(), tier: z.enum(tiers), ...limits })
  .meta({ id: 'TenantLimits', description: 'The request limits in effect for a tenant' })

export const viewTierLimits = (tier: Tier, set: TierLimits): z.output<typeof tierLimitsView> => ({
  tier,
  ...each(name => viewOf(name, set[tier], 'tier', defaultLimits[tier], () => 'default')),
})

export const viewTenantLimits = (
  { id, tier }: { id: string; tier: Tier },
  ofTiers: TierLimits,
  own: OwnLimits,
): z.output<typeof tenantLimitsView> => ({
  tenant_id: id,
  tier,
  ...each(name =>
    viewOf(name, own, 'tenant', limitsOfTier(tier, ofTiers), () =>
      ofTiers[tier][name] === null ? 'default' : 'tier',
    ),
  ),
})

const each = (view: (name: keyof Limits) => z.output<typeof limitView>) => ({
  requests_per_second: view('requestsPerSecond'),
  burst_seconds: view('burstSeconds'),
  requests_in_flight: view('requestsInFlight'),
})

function viewOf(
  name: keyof Limits,
  own: OwnLimits,
  owner: Source,
  inherited: Limits,
  inheritedFrom: () => Source,
): z.output<typeof limitView> {
  const value = own[name]
  return {
    value: value ?? inherited[name],
    source: value === null ? inheritedFrom() : owner,
    inherited: inherited[name],
  }
}

/** Returns a tenant's or tier's own limits for the audit log; null where the limit is inherited. */
export const viewOwnLimits = (own: OwnLimits) => ({
  requests_per_second: own.requestsPerSecond,
  burst_seconds: own.burstSeconds,
  requests_in_flight: own.requestsInFlight,
})
