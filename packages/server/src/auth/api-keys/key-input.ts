// Schemas for API keys, shared with forms in the browser.

import { z } from 'zod'
import { modes } from '../../values/mode.ts'
import { networkList } from '../../values/network-list.ts'
import { notBlank, text } from '../../values/text.ts'
import { keyScopes } from './scope.ts'

const scopesMeta = {
  description:
    'Scopes of the key, which limit what the key can do. `payments:read`: read payments, payment methods, webhook events and the request log. `payments:write`: create and cancel payments; includes `payments:read`. `refunds`: refund payments and read refunds. `payouts`: has no effect yet, because Gapura has no payouts. `reports`: read balances and ledgers. An empty list means no restriction. Only a user with the permission `finance` or `admin` can give a key an empty list, `refunds` or `payouts`',
  example: ['payments:write'],
}
const scopes = z.array(z.enum(keyScopes)).max(keyScopes.length).meta(scopesMeta)

const allowedIps = networkList.meta({
  description:
    'IP addresses and networks (CIDR) from which the key can be used. A request from another address returns 403. An empty list means any address',
  example: ['203.0.113.0/24', '2001:db8::/32'],
})

export const createApiKeyInput = z.object({
  name: text()
    .min(1)
    .default('API key')
    .meta({ ...notBlank, description: 'Name of the key, such as its purpose', example: 'web shop' }),
  mode: z
    .enum(modes)
    .meta({ description: 'Mode of the key. A `live` key moves real money', example: 'test' }),
  scopes: scopes.optional().meta({
    ...scopesMeta,
    description: `${scopesMeta.description}. By default, the key has no restriction. If you have neither of these permissions, the default is all scopes except \`refunds\` and \`payouts\``,
  }),
  allowed_ips: allowedIps.default([]),
})

/** The fields of an API key that a request can change. Omitted fields keep their values. */
export const updateApiKeyInput = z.object({
  scopes: scopes.optional(),
  allowed_ips: allowedIps.optional(),
})

export const rotateApiKeyInput = z.object({
  grace_minutes: z.int().min(0).max(1_440).default(0).meta({
    description: 'Number of minutes for which the old API key continues to work (default 0)',
    example: 60,
  }),
})
