import { z } from 'zod'

/**
 * Of one project at Duitku; their sandbox has a set of its own. signature: how the project's requests and callbacks
 * are signed. Duitku calls MD5 obsolete since April 2026, and its official libraries still use it.
 */
export const credentials = z.object({
  merchant_code: z.string().min(1),
  api_key: z.string().min(1),
  signature: z.enum(['hmac', 'md5']).default('hmac'),
})
export type Credentials = z.output<typeof credentials>
