// Schemas for API keys, shared with forms in the browser.

import { z } from 'zod'
import { modes } from '../mode.ts'
import { notBlank, text } from '../text.ts'

export const createApiKeyInput = z.object({
  name: text()
    .min(1, 'must not be empty')
    .default('API key')
    .meta({ ...notBlank, description: 'What it is for', example: 'web shop' }),
  mode: z
    .enum(modes, `must be one of ${modes.join(', ')}`)
    .meta({ description: '`live` moves real money', example: 'test' }),
})

export const rotateApiKeyInput = z.object({
  grace_minutes: z
    .int()
    .min(0)
    .max(1_440)
    .default(0)
    .meta({ description: 'How long the old key lives on', example: 60 }),
})
