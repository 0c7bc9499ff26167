// A merchant's first program, identical for every runtime, module system and bundler. It is compiled and run in
// projects that contain only the packed SDK.

import { Gapura, WebhookVerificationError, webhooks } from '@gapura/sdk'
import { sign, verify } from '@gapura/sdk/webhooks'
import type { Outcome, Place } from './outcome.js'

export async function payAndVerify(place: Place): Promise<Outcome> {
  const gapura = new Gapura({ apiKey: place.apiKey, baseUrl: place.baseUrl })
  const payment = await gapura.payments.create({
    amount: 10_000_000,
    currency: 'IDR',
    method_type: 'virtual_account',
    method_detail: { type: 'virtual_account', bank: 'BCA' },
  })
  await fetch(`${place.sandboxUrl}/simulate`, {
    method: 'POST',
    body: JSON.stringify({ payment_code: payment.payment_code, outcome: 'paid' }),
  })
  const paid = await gapura.payments.waitUntilPaid(payment.id, { timeoutMs: 60_000, pollMs: 200 })

  const body = JSON.stringify({
    id: crypto.randomUUID(),
    type: 'payment.paid',
    created_at: new Date().toISOString(),
    mode: 'test',
    previous_status: 'pending',
    data: paid,
  })
  const headers = await sign(body, place.webhookSecret)
  const event = await webhooks.verify(body, headers, place.webhookSecret)
  if (event.type !== 'payment.paid') throw new Error(`the event is ${event.type}`)
  return {
    account: payment.method_data.va_number,
    status: paid.status,
    event: event.type,
    amount: event.data.amount_paid,
    forgery: await refusalOf(verify(body.replace('paid', 'Paid'), headers, [place.webhookSecret])),
  }
}

/**
 * Returns the code of the error with which a webhook is rejected. `instanceof` works although the error and its
 * class come from different entry points of the SDK.
 */
async function refusalOf(verified: Promise<unknown>): Promise<string> {
  try {
    await verified
    return 'none'
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.code : String(error)
  }
}
