// Input schemas for webhook settings. The dashboard's forms use them too. The schemas do not resolve the host of a
// URL. The service must therefore check separately that the URL does not lead to a private address.

import { z } from 'zod'
import { httpUrl } from '../../values/text.ts'

export const callbackUrlInput = z.object({
  callback_url: z
    .string()
    .trim()
    .max(2048)
    .nullable()
    .meta({
      ...httpUrl,
      description: 'URL that receives the webhooks; null stops all webhooks',
      example: 'https://shop.example.com/hooks/gapura',
    }),
})

export const rotateSecretInput = z.object({
  revoke_previous: z.boolean().default(false).meta({
    description:
      'If true, no previous secret signs webhooks any longer, including the secret that this request replaces (default false)',
  }),
})
