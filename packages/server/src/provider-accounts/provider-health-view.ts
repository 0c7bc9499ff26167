import { z } from 'zod'
import { modes } from '../mode.ts'
import { WINDOW_MS } from './health.ts'
import type { KnownAccount } from './provider-health.sql.ts'
import type { AccountHealth } from './watch-health.ts'

export const providerHealthView = z
  .strictObject({
    account_id: z.uuid(),
    provider_code: z.string().meta({ example: 'midtrans' }),
    name: z.string().meta({ example: 'Midtrans of PT Toko Budi' }),
    mode: z.enum(modes),
    enabled: z.boolean(),
    circuit: z.enum(['closed', 'open', 'half_open']).meta({
      description:
        'open: routing avoids the account until a probe is answered; half_open: one charge is let through to tell',
    }),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the circuit came to be so; null: it has not been open' }),
    calls: z.int().meta({ description: 'Charges that ended within the window' }),
    failures: z.int().meta({ description: 'Of these, without a definite answer; refusals are answers' }),
    slow: z.int().meta({ description: 'Of these, slower than 5 s, failed or not' }),
    failure_rate: z.number().nullable().meta({ description: '0 to 1; null without calls', example: 0.25 }),
    p50_latency_ms: z.int().nullable().meta({ description: 'At most a tenth above the true one' }),
    p95_latency_ms: z.int().nullable(),
    window_seconds: z.int().meta({ example: 60 }),
    next_probe_at: z.iso.datetime().nullable().meta({ description: 'Null unless the circuit is open' }),
  })
  .meta({ id: 'ProviderHealth' })

/** health: undefined if this process has not called the account yet. */
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
