import { z } from 'zod'

/**
 * A Xendit account's credentials. The prefix of `secret_key` selects the mode: `xnd_development_` for test,
 * `xnd_production_` for live. `callback_token` is the webhook verification token from the account's dashboard.
 */
export const credentials = z.object({ secret_key: z.string().min(1), callback_token: z.string().min(1) })
export type Credentials = z.output<typeof credentials>
