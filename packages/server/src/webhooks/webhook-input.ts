// What is sent about webhooks, for browsers' forms too. Whether an address may be called is for the service to say.

import { z } from 'zod'

export const callbackUrlInput = z.object({
  callback_url: z
    .string()
    .trim()
    .max(2048, 'must be at most 2048 characters')
    .nullable()
    .meta({ format: 'uri', example: 'https://shop.example.com/hooks/gapura' }),
})

export const rotateSecretInput = z.object({
  revoke_previous: z.boolean().default(false).meta({
    description: 'true: every secret before the new one stops signing at once, the one it replaces included',
  }),
})
