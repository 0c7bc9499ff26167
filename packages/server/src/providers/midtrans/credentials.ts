import { z } from 'zod'

/** server_key: `Mid-server-…` in production, `SB-Mid-server-…` in Midtrans' sandbox. */
export const credentials = z.object({ server_key: z.string().min(1) })
export type Credentials = z.output<typeof credentials>
