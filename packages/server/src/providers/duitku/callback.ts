// Reads Duitku's callback, which is a form. The signature covers merchantCode, amount and merchantOrderId, but not
// resultCode. There is no nonce, so anyone with a genuine callback can replay it with another resultCode. The service
// therefore sends a status inquiry after each callback.

import { z } from 'zod'
import { optionalId, optionalText, readMessage, requiredReference } from '../lenient-fields.ts'
import { type CallbackReading, type CallbackUpdate, toSafeText } from '../provider.ts'
import { readOrUnreadable } from '../unreadable-message.ts'

export const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString('utf8'))

/**
 * A callback's fields. A callback is unreadable only if `merchantOrderId` is invalid. `reference` and `resultCode` are
 * not signed.
 */
const callback = z.object({
  merchantOrderId: requiredReference,
  reference: optionalId,
  resultCode: optionalText,
})

/** The service's response to an accepted callback. Duitku treats any text with HTTP 200 as an acknowledgement. */
const acknowledgement = { contentType: 'text/plain', body: 'OK' }
/** The response after which Duitku sends a callback again. Duitku retries after any status other than 200. */
const refusal = { status: 500, contentType: 'text/plain', body: 'FAILED' }

export function readForm(body: Buffer): CallbackReading {
  const fields = Object.fromEntries(formOf(body))
  return readOrUnreadable(
    () => {
      const message = readMessage(callback, fields)
      const { merchantOrderId, reference: providerPaymentId = '', resultCode = 'absent' } = message
      const fact: CallbackUpdate['fact'] = {
        type: 'unproven',
        reason: toSafeText(`resultCode ${resultCode} is unsigned`),
        ...(resultCode === '00' && { claimsPayment: true }),
      }
      return { updates: [{ reference: merchantOrderId, providerPaymentId, fact }], acknowledgement }
    },
    { body: Buffer.from(JSON.stringify(fields)), idFields: ['merchantOrderId', 'reference'], refusal },
  )
}
