// Input schemas for webhook settings, also used by the dashboard's forms. The schemas do not resolve a URL's host, so
// the service must check separately that the URL does not lead to a private address.

import { z } from 'zod'
import { httpUrl, text } from '../../values/text.ts'

export const callbackUrlInput = z.object({
  callback_url: text(2048)
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
      'If true, webhooks are no longer signed with any previous secret, including the one that this request replaces (default false)',
  }),
})
