import { z } from 'zod'
import { privateKey, providerPublicKey } from '../snap/credentials.ts'

/** secret_key signs the requests of both of DOKU's interfaces; the others are for SNAP alone. */
export const credentials = z.object({
  client_id: z.string().min(1),
  secret_key: z.string().min(1),
  partner_service_id: z.string().min(1),
  private_key: privateKey,
  provider_public_key: providerPublicKey,
})
export type Credentials = z.output<typeof credentials>
