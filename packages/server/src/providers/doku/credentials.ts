import { z } from 'zod'
import { rule } from '../../faults/rule.ts'
import { privateKey, providerPublicKey } from '../snap/credentials.ts'

/** A bank's BIN, which is the first digits of its virtual account numbers, without padding. */
const serviceId = z.string().regex(/^\d{1,8}$/, rule('digits_expected', { min: 1, max: 8 }))

/**
 * The credentials for QRIS. An account must have either all three of them or none. With a `qris_shared_key`, it must have
 * all three.
 */
const qrisFields = ['qris_merchant_id', 'qris_terminal_id', 'qris_postal_code'] as const
const needsAll = rule('fields_needed_together', { fields: [...qrisFields] })

/**
 * A DOKU account's credentials. `secret_key` signs requests to both DOKU APIs. Only the SNAP API needs the BINs (the
 * first digits of virtual account numbers), `va_numbers` and the QRIS fields. `partner_service_id` is the BIN for each
 * bank without a separate BIN.
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
    /**
     * Who chooses a SNAP virtual account's number: the merchant (DOKU's term is MGPC) or DOKU (DGPC). The value must
     * match the agreement with DOKU. The default is `merchant`.
     */
    va_numbers: z.enum(['merchant', 'doku']).optional(),
    /** The merchant id for QRIS, called "Mall ID" or "QRIS Client ID" by DOKU. */
    qris_merchant_id: z
      .string()
      .regex(/^\w{1,64}$/, rule('letters_and_digits_expected'))
      .optional(),
    qris_terminal_id: z
      .string()
      .regex(/^[A-Za-z0-9]{3,16}$/, rule('terminal_id_malformed', { min: 3, max: 16 }))
      .optional(),
    qris_postal_code: z
      .string()
      .regex(/^\d{5}$/, rule('digits_expected', { min: 5, max: 5 }))
      .optional(),
    /**
     * The "Shared Key" of the QRIS credentials. It verifies QRIS notifications, which DOKU may sign with these
     * credentials instead of `client_id` and `secret_key`.
     */
    qris_shared_key: z.string().min(1).optional(),
    /**
     * The first segment of the request path for Alfa group stores, such as Alfamart. The default is the path in
     * DOKU's documentation.
     */
    alfa_path: z.enum(['alfa-virtual-account', 'alfa-online-to-offline']).optional(),
    private_key: privateKey,
    provider_public_key: providerPublicKey,
  })
  .superRefine((given, context) => {
    const missing = qrisFields.filter(field => given[field] === undefined)
    if (missing.length === qrisFields.length && given.qris_shared_key === undefined) return
    for (const field of missing) context.addIssue({ code: 'custom', path: [field], message: needsAll })
  })
export type Credentials = z.output<typeof credentials>
