// An example webhook delivery.

import { eventExamples } from './event-examples.ts'
import { exampleId, examplePayment, paidAt } from './example-parts.ts'
import { signedExample } from './signed-example.ts'

const {
  'content-type': _,
  'x-service-event-id': __,
  'x-service-event-type': ___,
  ...signatures
} = signedExample(eventExamples['payment.paid']).headers

export const deliveryExample = {
  id: exampleId(2),
  type: 'payment.paid',
  payment_id: examplePayment.id,
  payment_code: examplePayment.payment_code,
  mode: 'test',
  status: 'delivered',
  next_attempt_at: null,
  created_at: paidAt,
  attempts: [
    {
      number: 1,
      started_at: paidAt,
      duration_ms: 38,
      response_status: 200,
      response_headers: { 'content-type': 'text/plain', 'content-length': '2' },
      response_body: 'ok',
      error: null,
      sent_signatures: signatures,
    },
  ],
}

export const sentDeliveryExample = { ...deliveryExample, body: JSON.stringify(eventExamples['payment.paid']) }
