import { z } from 'zod'

/**
 * The credentials of a Xendit account. `secret_key` starts with `xnd_development_` for test and with `xnd_production_`
 * for live. Both modes use the same host; the key selects the mode. `callback_token` is the webhook verification token
 * from the account's dashboard.
 */
export const credentials = z.object({ secret_key: z.string().min(1), callback_token: z.string().min(1) })
export type Credentials = z.output<typeof credentials>
