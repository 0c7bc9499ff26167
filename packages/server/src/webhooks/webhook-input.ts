// Input schemas for webhook settings, also used by forms in the browser. The service decides whether an address is
// allowed.

import { z } from 'zod'
import { httpUrl } from '../text.ts'

export const callbackUrlInput = z.object({
  callback_url: z
    .string()
    .trim()
    .max(2048, 'must be at most 2048 characters')
    .nullable()
    .meta({ ...httpUrl, example: 'https://shop.example.com/hooks/gapura' }),
})

export const rotateSecretInput = z.object({
  revoke_previous: z.boolean().default(false).meta({
    description: 'true: every secret before the new one stops signing at once, the one it replaces included',
  }),
})
