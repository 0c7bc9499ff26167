// Duitku's callback is a form. Its signature covers merchantCode, amount and merchantOrderId; resultCode and reference
// are unsigned and there is no nonce. Anyone who has one genuine callback can send it again with another resultCode, so
// a callback never proves payment or failure: it only starts a status request.

import { z } from 'zod'
import { idIfAny, readMessage, reference, text } from '../lenient.ts'
import { type CallbackReading, quoted } from '../provider.ts'
import { readOrRefuse } from '../unreadable.ts'

export const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString('utf8'))

/** merchantOrderId alone decides: the others are unsigned. */
const callback = z.object({
  merchantOrderId: reference,
  reference: idIfAny,
  resultCode: text,
})

/** Any text will do; HTTP 200 counts. */
const acknowledgement = { contentType: 'text/plain', body: 'OK' }
/** Duitku sends a callback again after anything but HTTP 200. */
const refusal = { status: 500, contentType: 'text/plain', body: 'FAILED' }

export function readForm(body: Buffer): CallbackReading {
  const fields = Object.fromEntries(formOf(body))
  return readOrRefuse(
    () => {
      const message = readMessage(callback, fields)
      const { merchantOrderId, reference: providerPaymentId = '', resultCode = 'absent' } = message
      const reason = quoted(`resultCode ${resultCode} is unsigned`)
      return {
        reports: [{ reference: merchantOrderId, providerPaymentId, fact: { type: 'unproven', reason } }],
        acknowledgement,
      }
    },
    { body: Buffer.from(JSON.stringify(fields)), idFields: ['merchantOrderId', 'reference'], refusal },
  )
}
