// Schemas for the limits set by the Owner (the operator), shared with browser forms. The database enforces the same
// bounds (migrations/0039_limits.sql).

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { tiers } from '../tenants/tenant.ts'
import type { OwnLimits } from './limits.ts'

function limit(least: number, most: number, description: string, example: number) {
  const within = rule('limit_out_of_range', { min: least, max: most })
  return z
    .int(within)
    .min(least, within)
    .max(most, within)
    .nullable()
    .optional()
    .meta({ description, example })
}

/**
 * The limits to change. An omitted field stays unchanged. Null means that the limit is inherited: a tenant inherits
 * from its tier, and a tier from the service's defaults.
 */
export const limitsInput = z.object({
  // The minimum is 10, so that a caller can always send one tRPC batch, which has up to 10 calls.
  requests_per_second: limit(
    10,
    10_000,
    "Rate limit for each API key and each user, in requests per second. null resets a tenant's limit to the limit of its tier, and a tier's limit to the default",
    80,
  ),
  burst_seconds: limit(
    1,
    10,
    "Burst size in seconds: after a pause, up to `burst_seconds` × `requests_per_second` requests can be sent at once. null resets a tenant's limit to the limit of its tier, and a tier's limit to the default",
    3,
  ),
  // The maximum of 512 requests in flight for one tenant is half the limit for all tenants together
  // (http/admission/admission.ts).
  requests_in_flight: limit(
    1,
    512,
    "Maximum number of requests in flight for the tenant, across all its API keys and users. null resets a tenant's limit to the limit of its tier, and a tier's limit to the default",
    96,
  ),
})

export const changesIn = (input: z.output<typeof limitsInput>): Partial<OwnLimits> => ({
  ...(input.requests_per_second !== undefined && { requestsPerSecond: input.requests_per_second }),
  ...(input.burst_seconds !== undefined && { burstSeconds: input.burst_seconds }),
  ...(input.requests_in_flight !== undefined && { requestsInFlight: input.requests_in_flight }),
})

export const tierPath = z.object({
  tier: z
    .enum(tiers)
    .meta({ description: 'Name of the tier whose limits to read or change', example: 'starter' }),
})
