import { z } from 'zod'

/** A Tripay merchant's credentials. All HMACs use `private_key`. Tripay's sandbox has separate credentials. */
export const credentials = z.object({
  api_key: z.string().min(1),
  private_key: z.string().min(1),
  merchant_code: z.string().min(1),
})
export type Credentials = z.output<typeof credentials>
