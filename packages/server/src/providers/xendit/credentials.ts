import { z } from 'zod'

/**
 * secret_key: `xnd_development_…` for test, `xnd_production_…` for live; the host is the same, the key decides.
 * callback_token: the webhook verification token of the account's dashboard.
 */
export const credentials = z.object({ secret_key: z.string().min(1), callback_token: z.string().min(1) })
export type Credentials = z.output<typeof credentials>
