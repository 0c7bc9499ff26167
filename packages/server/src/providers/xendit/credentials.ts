import { z } from 'zod'

/**
 * secret_key: `xnd_development_…` for test, `xnd_production_…` for live. Both use the same host; the key
 * selects the mode. callback_token: the webhook verification token from the account's dashboard.
 */
export const credentials = z.object({ secret_key: z.string().min(1), callback_token: z.string().min(1) })
export type Credentials = z.output<typeof credentials>
