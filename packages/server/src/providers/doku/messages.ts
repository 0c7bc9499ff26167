// Schemas for the JSON messages in DOKU's non-SNAP API. lenient-fields.ts describes how invalid fields are treated.

import { z } from 'zod'
import {
  anyAmount,
  nullableCurrency,
  nullableReference,
  objectList,
  optionalId,
  optionalObject,
  optionalText,
  parseText,
  requiredWord,
} from '../lenient-fields.ts'

/** The payment code or virtual account number that the payer enters. Only digits are valid. */
const digits = z
  .unknown()
  .optional()
  .transform(parseText)
  .pipe(z.string().regex(/^\d{1,30}$/))

/** The payment instructions. An invalid account number or payment code is ignored. */
const instructions = {
  virtual_account_info: optionalObject({ virtual_account_number: digits }),
  online_to_offline_info: optionalObject({ payment_code: digits }),
}

/** DOKU's response to a charge. */
export const created = z.looseObject({
  order: optionalObject({ invoice_number: optionalText }),
  ...instructions,
})
export type Created = z.output<typeof created>

/**
 * A payment's identifiers, each with a name and a value. In real messages about BSI bank payments, some of
 * these values are missing.
 */
const identifiers = objectList({ name: optionalText, value: optionalId })
export type Identifiers = z.output<typeof identifiers>

/** A notification from DOKU, or a response from DOKU's status API. */
export const transaction = z.looseObject({
  service: optionalObject({ id: optionalText }),
  order: z.looseObject({ invoice_number: nullableReference, amount: anyAmount, currency: nullableCurrency }),
  transaction: z.looseObject({ status: requiredWord, date: optionalText, original_request_id: optionalId }),
  ...instructions,
  /**
   * Both spellings, `identifier` and `identifer`, occur in DOKU's messages (developers.doku.com
   * http-notification-sample-non-snap).
   */
  virtual_account_payment: optionalObject({
    reference_number: optionalId,
    identifier: identifiers,
    identifer: identifiers,
  }),
})
export type Transaction = z.output<typeof transaction>

const maybe = <T extends z.ZodType>(type: T) => type.nullish().transform(value => value ?? undefined)

/**
 * The error formats of DOKU's direct API (first) and of its checkout page (second). DOKU does not document which errors
 * use which format. A body with `message` and an `error` that is not an object matches neither format. Such a body
 * comes from a gateway or web framework instead of DOKU.
 */
export const failure = z.union([
  z.looseObject({ error: z.looseObject({ code: maybe(z.string()), message: maybe(z.string()) }) }),
  z.looseObject({
    error: z.undefined().optional(),
    message: z.union([z.string(), z.array(z.string())]),
  }),
])
export type Failure = z.output<typeof failure>
