import { z } from 'zod'

/** Duitku's signature algorithms. Duitku has called MD5 obsolete since April 2026, but its libraries still use it. */
export const algorithms = ['hmac', 'md5'] as const

/**
 * A Duitku project's credentials. Duitku's sandbox has separate credentials. `signature` selects the algorithm for
 * requests.
 */
export const credentials = z.object({
  merchant_code: z.string().min(1),
  api_key: z.string().min(1),
  signature: z.enum(algorithms).default('hmac'),
})
export type Credentials = z.output<typeof credentials>
