import { z } from 'zod'
import { privateKey, providerPublicKey } from '../snap/credentials.ts'

/** A bank's BIN, without padding. */
const serviceId = z.string().regex(/^\d{1,8}$/, 'must be 1 to 8 digits')

/** The three QRIS fields must be given together. */
const qrisFields = ['qris_merchant_id', 'qris_terminal_id', 'qris_postal_code'] as const

/**
 * secret_key signs the requests of both of DOKU's APIs. The BINs, va_numbers and the QRIS fields apply to SNAP only.
 * DOKU's back office shows a BIN for each bank; `partner_service_id` applies to every bank without one of its own.
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
    /** Who chooses the number of a SNAP virtual account, as agreed with DOKU (MGPC or DGPC). Default: merchant. */
    va_numbers: z.enum(['merchant', 'doku'], 'must be merchant or doku').optional(),
    /** DOKU calls this "Mall ID". */
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
    /** The first part of the path for the Alfa group. Default: the one on DOKU's documentation page. */
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
