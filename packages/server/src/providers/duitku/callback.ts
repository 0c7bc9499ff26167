// Reads Duitku's callback, which is a form. Its signature covers merchantCode, amount and merchantOrderId, but
// not resultCode and reference, and there is no nonce. Anyone with one genuine callback can resend it with
// another resultCode, so a callback never proves payment or failure: it only triggers a status inquiry.

import { z } from 'zod'
import { optionalId, optionalText, readMessage, requiredReference } from '../lenient-fields.ts'
import { type CallbackReading, toSafeText } from '../provider.ts'
import { readOrUnreadable } from '../unreadable-message.ts'

export const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString('utf8'))

/** The fields of a callback. Only merchantOrderId is a deciding field, because the other two fields are unsigned. */
const callback = z.object({
  merchantOrderId: requiredReference,
  reference: optionalId,
  resultCode: optionalText,
})

/** The response to an accepted callback. Duitku accepts any text with HTTP 200. */
const acknowledgement = { contentType: 'text/plain', body: 'OK' }
/** The response that makes Duitku send a callback again: it retries after any status other than 200. */
const refusal = { status: 500, contentType: 'text/plain', body: 'FAILED' }

export function readForm(body: Buffer): CallbackReading {
  const fields = Object.fromEntries(formOf(body))
  return readOrUnreadable(
    () => {
      const message = readMessage(callback, fields)
      const { merchantOrderId, reference: providerPaymentId = '', resultCode = 'absent' } = message
      const reason = toSafeText(`resultCode ${resultCode} is unsigned`)
      return {
        updates: [{ reference: merchantOrderId, providerPaymentId, fact: { type: 'unproven', reason } }],
        acknowledgement,
      }
    },
    { body: Buffer.from(JSON.stringify(fields)), idFields: ['merchantOrderId', 'reference'], refusal },
  )
}
