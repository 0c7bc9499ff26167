import { createPrivateKey, createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { rule } from '../../faults/rule.ts'

/**
 * Returns the schema for an RSA key. It rejects an invalid key as soon as the operator enters it, because the error
 * would otherwise appear only at the first payment.
 */
const rsaKey = (read: (pem: string) => { asymmetricKeyType?: string | undefined }, form: string) =>
  z
    .string()
    .min(1)
    .refine(
      pem => {
        try {
          return read(pem).asymmetricKeyType === 'rsa'
        } catch {
          return false
        }
      },
      rule('rsa_key_expected', { form }),
    )

/** The schema for the merchant's private key. The acquirer has the matching public key. */
export const privateKey = rsaKey(createPrivateKey, 'PKCS#8 PEM')
/** The schema for the public key that verifies the acquirer's signatures. */
export const providerPublicKey = rsaKey(createPublicKey, 'SPKI PEM')

/** The credentials that Midtrans issues for BI-SNAP (docs.midtrans.com/reference/credential-exchange-copy). */
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
