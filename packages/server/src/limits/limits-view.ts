import { z } from 'zod'
import { type Tier, tiers } from '../tenants/tenant.ts'
import { defaultLimits, type Limits, limitsOfTier, type OwnLimits, type TierLimits } from './limits.ts'

const sources = ['tenant', 'tier', 'default'] as const
type Source = (typeof sources)[number]

const limitView = z
  .strictObject({
    value: z.int().meta({ description: "The limit's current value", example: 80 }),
    source: z.enum(sources).meta({
      description:
        "Where the current value is set. `tenant`: for this tenant. `tier`: for the tenant's tier. `default`: nowhere, so the built-in default applies",
      example: 'tenant',
    }),
    inherited: z
      .int()
      .meta({ description: 'The inherited value, which applies if this limit is reset', example: 50 }),
  })
  .meta({
    id: 'Limit',
    description: 'The current value of a request limit, and where the value is set',
  })

const limits = {
  requests_per_second: limitView.meta({
    description:
      'Rate limit for each API key and each user, in requests per second. Each server process counts separately',
  }),
  burst_seconds: limitView.meta({
    description:
      'Maximum burst after a pause, in seconds: up to `burst_seconds` × `requests_per_second` requests can be sent at once',
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

/** Returns the limits set for a tenant or tier, for the audit log. Null means that the limit is inherited. */
export const viewOwnLimits = (own: OwnLimits) => ({
  requests_per_second: own.requestsPerSecond,
  burst_seconds: own.burstSeconds,
  requests_in_flight: own.requestsInFlight,
})
