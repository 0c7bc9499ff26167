// What is sent about a provider account, for browsers' forms too. Which credentials it needs its provider says.

import { z } from 'zod'
import { modes } from '../mode.ts'
import { text } from '../text.ts'
import { baseUrl } from './base-url.ts'

const accountName = text().min(1, 'must not be empty').meta({ example: 'Midtrans of PT Toko Budi' })
const credentials = z
  .record(z.string(), z.unknown())
  .meta({ description: 'As GET /v1/providers says; never shown again', example: { server_key: 'SB-Mid-…' } })
const ownHost = { description: "null: the provider's own host for the mode" }

export const createProviderAccountInput = z.object({
  mode: z.enum(modes, `must be one of ${modes.join(', ')}`),
  name: accountName,
  credentials,
  base_url: baseUrl.nullable().default(null).meta(ownHost),
  enabled: z.boolean().default(true),
})

/** What is left out stays. */
export const updateProviderAccountInput = z.object({
  name: accountName.optional(),
  credentials: credentials.optional(),
  base_url: baseUrl.nullable().optional().meta(ownHost),
  enabled: z.boolean().optional(),
})
