// The JSON of DOKU's non-SNAP interface, read leniently where fields may be missing or added, strictly where money
// depends on it.

import { z } from 'zod'

const maybe = <T extends z.ZodType>(type: T) =>
  z.preprocess(value => (value === null || value === '' ? undefined : value), type.optional())

/** Kept and passed on, so it must be text that a database can hold. */
const id = z.string().regex(/^[\x21-\x7e]{1,128}$/)
const code = z.string().regex(/^\d{1,30}$/)
/** Whole rupiah, as a number in every sample. */
const rupiah = z.union([z.string(), z.number()]).transform(String)

export const virtualAccountCreated = z.looseObject({
  order: z.looseObject({ invoice_number: z.string() }),
  virtual_account_info: z.looseObject({ virtual_account_number: code }),
})

export const storePaymentCreated = z.looseObject({
  order: z.looseObject({ invoice_number: z.string() }),
  online_to_offline_info: z.looseObject({ payment_code: code }),
})

/** Both spellings are sent (developers.doku.com http-notification-sample-non-snap). */
const identifiers = maybe(z.array(z.looseObject({ name: z.string(), value: z.string() })))

/** A notification, and the answer of the status API. */
export const transaction = z.looseObject({
  order: z.looseObject({ invoice_number: id, amount: maybe(rupiah), currency: maybe(z.string()) }),
  transaction: z.looseObject({
    status: z.string(),
    date: maybe(z.string()),
    original_request_id: maybe(id),
  }),
  virtual_account_info: maybe(z.looseObject({ virtual_account_number: maybe(code) })),
  virtual_account_payment: maybe(
    z.looseObject({ reference_number: maybe(id), identifier: identifiers, identifer: identifiers }),
  ),
  online_to_offline_info: maybe(z.looseObject({ payment_code: maybe(code) })),
})
export type Transaction = z.output<typeof transaction>

/** The direct interface answers the first, the checkout page the second; neither is confirmed for every error. */
export const failure = z.union([
  z.looseObject({ error: z.looseObject({ code: maybe(z.string()), message: maybe(z.string()) }) }),
  z.looseObject({ message: z.union([z.string(), z.array(z.string())]) }),
])
export type Failure = z.output<typeof failure>
