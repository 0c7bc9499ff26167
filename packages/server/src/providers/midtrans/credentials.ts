import { z } from 'zod'

/**
 * A Midtrans account's credentials. `server_key` starts with `Mid-server-` in production and with `SB-Mid-server-`
 * in Midtrans' sandbox.
 */
export const credentials = z.object({ server_key: z.string().min(1) })
export type Credentials = z.output<typeof credentials>
