import { z } from 'zod'
import { modes } from '../../values/mode.ts'
import type { ApiKey } from './key.sql.ts'

export const apiKeyView = z
  .strictObject({
    id: z.uuid(),
    name: z.string().meta({ example: 'web shop' }),
    mode: z.enum(modes),
    display_prefix: z.string().meta({
      description: 'The first characters of the key, with which users can recognize it',
      example: 'gp_test_4fQz',
    }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time of the last use, with a precision of one minute; null if never used' }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time when the key stops working; null unless the key was rotated' }),
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
    ...apiKeyView.pick({ display_prefix: true, created_at: true }).shape,
  })
  .meta({ id: 'NewApiKey', description: 'A new API key. No other response contains `key`' })

export const viewApiKey = (key: ApiKey): z.output<typeof apiKeyView> => ({
  id: key.id,
  name: key.name,
  mode: key.mode,
  display_prefix: key.displayPrefix,
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
  created_at: made.createdAt.toISOString(),
})
