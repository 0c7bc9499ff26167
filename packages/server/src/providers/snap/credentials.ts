import { createPrivateKey, createPublicKey } from 'node:crypto'
import { z } from 'zod'

/** A key that cannot be read would only be noticed at the first payment, so it is refused where it is entered. */
const rsaKey = (read: (pem: string) => { asymmetricKeyType?: string | undefined }, form: string) =>
  z
    .string()
    .min(1)
    .refine(pem => {
      try {
        return read(pem).asymmetricKeyType === 'rsa'
      } catch {
        return false
      }
    }, `must be an RSA key, ${form}`)

/** Ours, whose public half the acquirer was given. */
export const privateKey = rsaKey(createPrivateKey, 'PKCS#8 PEM')
/** With what the acquirer signs towards us. */
export const providerPublicKey = rsaKey(createPublicKey, 'SPKI PEM')

/** As Midtrans hands them out for BI-SNAP (docs.midtrans.com/reference/credential-exchange-copy). */
export const credentials = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  partner_id: z.string().min(1),
  merchant_id: z.string().min(1),
  channel_id: z.string().min(1),
  partner_service_id: z.string().min(1),
  private_key: privateKey,
  provider_public_key: providerPublicKey,
})
export type Credentials = z.output<typeof credentials>
