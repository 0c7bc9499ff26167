// Schemas for API keys, shared with forms in the browser.

import { z } from 'zod'
import { modes } from '../../values/mode.ts'
import { notBlank, text } from '../../values/text.ts'

export const createApiKeyInput = z.object({
  name: text()
    .min(1)
    .default('API key')
    .meta({ ...notBlank, description: 'Name of the key, such as its purpose', example: 'web shop' }),
  mode: z
    .enum(modes)
    .meta({ description: 'Mode of the key. A `live` key moves real money', example: 'test' }),
})

export const rotateApiKeyInput = z.object({
  grace_minutes: z.int().min(0).max(1_440).default(0).meta({
    description: 'Number of minutes for which the old key continues to work (default 0)',
    example: 60,
  }),
})
