import { z } from 'zod'
import { modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'
import type { ProviderAccountRecord } from './provider-account.sql.ts'
import { DEFAULT_INQUIRE_ABOVE } from './provider-account-input.ts'

/** A provider account as it appears in responses and in the audit log, with all its data except the credentials. */
export const providerAccountView = z
  .strictObject({
    id: z.uuid(),
    provider_code: z.string().meta({ example: 'midtrans' }),
    mode: z.enum(modes),
    name: z.string().meta({ example: 'Midtrans of PT Toko Budi' }),
    base_url: z.string().nullable().meta({
      description:
        "Base URL of the provider's API. Null means the provider's default host for the account's mode (live or test)",
    }),
    enabled: z.boolean().meta({
      description: 'Whether the provider account is enabled. A disabled account receives no new payments',
    }),
    callback_sources: z.array(z.string()).meta({
      description: 'Networks (CIDR) from which callbacks are accepted. An empty list accepts any address',
      example: ['192.0.2.0/24'],
    }),
    inquire_above: z.int().nullable().meta({
      description:
        "Amount in cents above which the service confirms callbacks with a status inquiry. If a callback reports more than this amount, the service sends the inquiry before it credits the money. The inquiry also confirms refunds and chargebacks of payments above this amount, and every report that a refund or chargeback failed. Null disables this check. The check applies only if the provider's `callback_proof` is `static_token` and `callback_sources` is empty",
      example: DEFAULT_INQUIRE_ABOVE,
    }),
    previous_credentials: z
      .array(z.strictObject({ replaced_at: z.iso.datetime(), valid_until: z.iso.datetime() }))
      .meta({
        description:
          "The account's earlier credentials that still verify callbacks, newest first. At most 5 entries",
      }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ProviderAccount', description: 'An account with a provider, without its credentials' })

export const viewProviderAccount = (
  account: ProviderAccountRecord,
  now: Date,
): z.output<typeof providerAccountView> => ({
  id: account.id,
  provider_code: account.providerCode,
  mode: account.mode,
  name: account.name,
  base_url: account.baseUrl,
  enabled: account.enabled,
  callback_sources: account.callbackSources,
  inquire_above: account.inquireAbove === null ? null : toJsonNumber(account.inquireAbove),
  previous_credentials: account.previousCredentials
    .filter(({ validUntil }) => validUntil > now)
    .map(({ replacedAt, validUntil }) => ({
      replaced_at: replacedAt.toISOString(),
      valid_until: validUntil.toISOString(),
    })),
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
})
