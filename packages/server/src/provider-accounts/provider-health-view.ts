import { z } from 'zod'
import { modes } from '../values/mode.ts'
import { circuitStates, WINDOW_MS } from './circuit-breaker.ts'
import type { KnownAccount } from './provider-health.sql.ts'
import type { AccountHealth } from './provider-health.ts'

export const providerHealthView = z
  .strictObject({
    account_id: z.uuid(),
    provider_code: z.string().meta({ example: 'midtrans' }),
    name: z.string().meta({ example: 'Midtrans of PT Toko Budi' }),
    mode: z.enum(modes),
    enabled: z.boolean(),
    circuit: z.enum(circuitStates).meta({
      description:
        "The account's circuit breaker. `closed`: available. `open`: routing avoids the account until a probe succeeds. `half_open`: one charge is sent as a probe",
    }),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time when `circuit` last changed, or null if the circuit has never been open' }),
    calls: z.int().meta({ description: 'Number of charges that ended within the last minute (the window)' }),
    failures: z.int().meta({
      description:
        'Number of charges in the window that ended without a definite result. A rejection by the provider is a definite result',
    }),
    slow: z.int().meta({
      description: 'Number of charges in the window that took longer than 5 seconds, including failed ones',
    }),
    failure_rate: z.number().nullable().meta({
      description:
        'Fraction of charges in the window that failed, from 0 to 1; null if there were no charges',
      example: 0.25,
    }),
    p50_latency_ms: z
      .int()
      .nullable()
      .meta({ description: 'Median latency in milliseconds. The value can be up to 10% too high' }),
    p95_latency_ms: z.int().nullable(),
    window_seconds: z.int().meta({ example: 60 }),
    next_probe_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time of the next probe; null if the circuit is not open' }),
  })
  .meta({ id: 'ProviderHealth', description: 'The health of a provider account' })

/**
 * Returns the public view of a provider account's health. `health` is undefined if this process has not yet called
 * the provider for this account.
 */
export const viewProviderHealth = (
  account: KnownAccount,
  health: AccountHealth | undefined,
): z.output<typeof providerHealthView> => ({
  account_id: account.id,
  provider_code: account.providerCode,
  name: account.name,
  mode: account.mode,
  enabled: account.enabled,
  circuit: health?.circuit ?? 'closed',
  since: health?.since?.toISOString() ?? null,
  calls: health?.calls ?? 0,
  failures: health?.failures ?? 0,
  slow: health?.slow ?? 0,
  failure_rate: health && health.calls > 0 ? health.failures / health.calls : null,
  p50_latency_ms: health?.p50Ms ?? null,
  p95_latency_ms: health?.p95Ms ?? null,
  window_seconds: WINDOW_MS / 1_000,
  next_probe_at: health?.nextProbeAt?.toISOString() ?? null,
})
