import { z } from 'zod'

/**
 * The credentials of one Tripay merchant. `private_key` is the key of every HMAC. The sandbox has separate credentials.
 */
export const credentials = z.object({
  api_key: z.string().min(1),
  private_key: z.string().min(1),
  merchant_code: z.string().min(1),
})
export type Credentials = z.output<typeof credentials>
