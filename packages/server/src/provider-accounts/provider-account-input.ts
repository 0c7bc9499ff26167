// Input schemas for provider accounts, for API requests and browser forms. The required credentials depend on the
// provider.

import { z } from 'zod'
import { modes } from '../values/mode.ts'
import { networkList } from '../values/network-list.ts'
import { notBlank, text } from '../values/text.ts'
import { baseUrl } from './base-url.ts'

const accountName = text()
  .min(1)
  .meta({ ...notBlank, example: 'Midtrans of PT Toko Budi' })
const credentials = z.record(z.string(), z.unknown()).meta({
  description:
    "The provider account's credentials. `GET /v1/providers` lists the required fields. Credentials are never returned",
  example: { server_key: 'SB-Mid-…' },
})
const ownHost = {
  description:
    "Base URL of the provider's API. Null means the provider's default host for the account's mode (live or test)",
}

const callbackSources = networkList.meta({
  description:
    'IP addresses and networks (CIDR) from which callbacks are accepted. A callback from another address is rejected with 401. An empty list accepts any address',
  example: ['192.0.2.0/24', '2001:db8::/32'],
})

/**
 * The default for `inquire_above`, in cents. A callback about a payment of up to Rp10,000,000 is credited without a
 * status inquiry.
 */
export const DEFAULT_INQUIRE_ABOVE = 1_000_000_000

const inquireAbove = z.int().min(0).max(100_000_000_000_000).nullable().meta({
  description:
    "Amount in cents above which the service confirms callbacks with a status inquiry. If a callback reports more than this amount, the service sends the inquiry before it credits the money. The inquiry also confirms refunds and chargebacks of payments above this amount, and every report that a refund or chargeback failed. Null disables this check. The check applies only if the provider's `callback_proof` is `static_token` and `callback_sources` is empty",
  example: DEFAULT_INQUIRE_ABOVE,
})

/**
 * The maximum number of hours replaced credentials can stay valid. The maximum is a month, which is enough for any key
 * rotation.
 */
const MAX_PREVIOUS_HOURS = 720
export const previousCredentialsHours = z.int().min(0).max(MAX_PREVIOUS_HOURS).meta({
  description:
    'How many hours the replaced `credentials` still verify callbacks (default 24). 0 invalidates all previous credentials immediately, even if no new `credentials` are passed',
  example: 24,
})

export const createProviderAccountInput = z.object({
  mode: z.enum(modes),
  name: accountName,
  credentials,
  base_url: baseUrl.nullable().default(null).meta(ownHost),
  enabled: z.boolean().default(true),
  callback_sources: callbackSources.default([]),
  inquire_above: inquireAbove.default(DEFAULT_INQUIRE_ABOVE),
})

/** The input schema for updating a provider account. Omitted fields stay unchanged. */
export const updateProviderAccountInput = z.object({
  name: accountName.optional(),
  credentials: credentials.optional(),
  previous_credentials_hours: previousCredentialsHours.optional(),
  base_url: baseUrl.nullable().optional().meta(ownHost),
  enabled: z.boolean().optional(),
  callback_sources: callbackSources.optional(),
  inquire_above: inquireAbove.optional(),
})
