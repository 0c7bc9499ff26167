import { z } from 'zod'
import { modes } from '../../values/mode.ts'
import type { ApiKey } from './key.sql.ts'
import { keyScopes } from './scope.ts'

export const apiKeyView = z
  .strictObject({
    id: z.uuid(),
    name: z.string().meta({ example: 'web shop' }),
    mode: z.enum(modes),
    display_prefix: z.string().meta({
      description: "The API key's first characters, so that users can recognize the key in a list",
      example: 'gp_test_4fQz',
    }),
    scopes: z.array(z.enum(keyScopes)).meta({
      description: 'Scopes of the API key. An empty list means no restriction',
      example: ['payments:read'],
    }),
    allowed_ips: z.array(z.string()).meta({
      description: 'Networks from which the API key can be used. An empty list means any address',
      example: ['203.0.113.0/24'],
    }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().meta({
      description:
        'Time when the API key was last used, accurate to one minute; null if the key was never used',
    }),
    expires_at: z.iso.datetime().nullable().meta({
      description: 'Time when the API key stops working because it was rotated; null if it was not rotated',
    }),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself' })

export const newApiKeyView = z
  .strictObject({
    ...apiKeyView.pick({ id: true, name: true, mode: true }).shape,
    key: z.string().meta({
      description: 'The API key. It is returned only once',
      example: 'gp_test_4fQzL0aJr2mXc8VdT5uYb1NsKe7WhG3P0bXk2J',
    }),
    ...apiKeyView.pick({ display_prefix: true, scopes: true, allowed_ips: true, created_at: true }).shape,
  })
  .meta({ id: 'NewApiKey', description: 'A new API key. No other response contains `key`' })

export const viewApiKey = (key: ApiKey): z.output<typeof apiKeyView> => ({
  id: key.id,
  name: key.name,
  mode: key.mode,
  display_prefix: key.displayPrefix,
  scopes: key.scopes,
  allowed_ips: key.allowedIps,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
})

export const viewNewApiKey = (made: ApiKey & { key: string }): z.output<typeof newApiKeyView> => ({
  id: made.id,
  name: made.name,
  mode: made.mode,
  key: made.key,
  display_prefix: made.displayPrefix,
  scopes: made.scopes,
  allowed_ips: made.allowedIps,
  created_at: made.createdAt.toISOString(),
})
