import { z } from 'zod'
import { privateKey, providerPublicKey } from '../snap/credentials.ts'

/** The BIN of a bank, without padding. */
const serviceId = z.string().regex(/^\d{1,8}$/, 'must be 1 to 8 digits')

/** The three of QRIS belong together. */
const qrisFields = ['qris_merchant_id', 'qris_terminal_id', 'qris_postal_code'] as const

/**
 * secret_key signs the requests of both of DOKU's interfaces. The BINs, the numbers and QRIS are for SNAP alone: DOKU's
 * back office shows a BIN for each bank, and `partner_service_id` is that of every bank without one of its own.
 */
export const credentials = z
  .object({
    client_id: z.string().min(1),
    secret_key: z.string().min(1),
    partner_service_id: z.string().min(1).optional(),
    partner_service_id_bni: serviceId.optional(),
    partner_service_id_permata: serviceId.optional(),
    partner_service_id_cimb: serviceId.optional(),
    partner_service_id_danamon: serviceId.optional(),
    partner_service_id_btn: serviceId.optional(),
    partner_service_id_maybank: serviceId.optional(),
    partner_service_id_sinarmas: serviceId.optional(),
    /** Who makes the number of a virtual account over SNAP, as agreed with DOKU (MGPC or DGPC); merchant where absent. */
    va_numbers: z.enum(['merchant', 'doku'], 'must be merchant or doku').optional(),
    /** "Mall ID" in DOKU's words. */
    qris_merchant_id: z
      .string()
      .regex(/^\w{1,64}$/, 'must be letters and digits')
      .optional(),
    qris_terminal_id: z
      .string()
      .regex(/^[A-Za-z0-9]{3,16}$/, 'must be 3 to 16 letters and digits')
      .optional(),
    qris_postal_code: z
      .string()
      .regex(/^\d{5}$/, 'must be 5 digits')
      .optional(),
    /** First part of the path of the Alfa group; the one of DOKU's page where absent. */
    alfa_path: z
      .enum(
        ['alfa-virtual-account', 'alfa-online-to-offline'],
        'must be alfa-virtual-account or alfa-online-to-offline',
      )
      .optional(),
    private_key: privateKey,
    provider_public_key: providerPublicKey,
  })
  .superRefine((given, context) => {
    const missing = qrisFields.filter(field => given[field] === undefined)
    if (missing.length === qrisFields.length) return
    for (const field of missing)
      context.addIssue({ code: 'custom', path: [field], message: `needs all of ${qrisFields.join(', ')}` })
  })
export type Credentials = z.output<typeof credentials>
