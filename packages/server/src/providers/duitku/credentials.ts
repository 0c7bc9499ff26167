import { z } from 'zod'

/**
 * A Duitku project's credentials. Duitku's sandbox has separate ones. `signature` selects the algorithm. Duitku has
 * called MD5 obsolete since April 2026, but its official libraries still use it.
 */
export const credentials = z.object({
  merchant_code: z.string().min(1),
  api_key: z.string().min(1),
  signature: z.enum(['hmac', 'md5']).default('hmac'),
})
export type Credentials = z.output<typeof credentials>
