import { z } from 'zod'

/** Of one merchant at Tripay; private_key is the key of every HMAC. Their sandbox has a set of its own. */
export const credentials = z.object({
  api_key: z.string().min(1),
  private_key: z.string().min(1),
  merchant_code: z.string().min(1),
})
export type Credentials = z.output<typeof credentials>
