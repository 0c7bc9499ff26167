import type { IncomingHttpHeaders } from 'node:http'
import { faultOf, type Rule } from '../rules.ts'

// The requests that Midtrans' official libraries can send. Only Go has types for the fields: midtrans-go 1.3.8
// (request.go, coreapi/request.go). Node (midtrans-client 1.4.3), Python (midtransclient 1.4.2) and Java
// (midtrans-java 3.2.2) accept any map. All four send JSON with the matching Content-Type.

const go = 'Go request.go'
const core = 'Go coreapi/request.go'

const json: Rule = {
  field: 'Content-Type',
  in: 'header',
  required: true,
  pattern: /^application\/json\b/i,
  source:
    'all four Midtrans libraries send the Content-Type application/json: httpClient.js, http_client.py, httpclient.go, APIHttpClient.java',
}

const texts = (source: string, ...fields: string[]): Rule[] => fields.map(field => ({ field, source }))

export const midtransRules = {
  charge: [
    json,
    { field: 'payment_type', required: true, source: core },
    { field: 'transaction_details.order_id', required: true, source: go },
    { field: 'transaction_details.gross_amount', required: true, type: 'whole number', source: go },
    { field: 'item_details', type: 'list', source: core },
    ...texts(go, 'item_details[].id', 'item_details[].brand', 'item_details[].category'),
    { field: 'item_details[].name', required: true, source: go },
    { field: 'item_details[].price', required: true, type: 'whole number', source: go },
    { field: 'item_details[].quantity', required: true, type: 'whole number', source: go },
    ...texts(go, 'customer_details.first_name', 'customer_details.last_name'),
    ...texts(go, 'customer_details.email', 'customer_details.phone'),
    ...texts(core, 'bank_transfer.bank', 'bank_transfer.va_number', 'qris.acquirer', 'cstore.store'),
    ...texts(core, 'echannel.bill_info1', 'echannel.bill_info2', 'echannel.bill_key'),
    ...texts(core, 'gopay.callback_url', 'shopeepay.callback_url', 'credit_card.token_id'),
    { field: 'gopay.enable_callback', type: 'boolean', source: core },
    ...texts(core, 'custom_expiry.order_time', 'custom_expiry.unit'),
    { field: 'custom_expiry.expiry_duration', type: 'whole number', source: core },
    ...texts(core, 'custom_field1', 'custom_field2', 'custom_field3'),
  ],
  // The rules for a refund request also apply to a direct refund request, because both have the same body.
  refund: [
    ...texts(core, 'refund_key', 'reason'),
    // The amount can be a number, or a string of digits as sent by the official Java library.
    {
      field: 'amount',
      type: 'whole number or digits',
      source: `${core} declares the amount as int64, and the documentation of the Node library also shows a number, but the Java library sends only text`,
    },
  ],
} satisfies Record<string, readonly Rule[]>

/**
 * Returns the error message for the first rule that the request breaks. In Midtrans' response, this message
 * is an entry of `validation_messages`.
 */
export function ruleMessage(
  rules: readonly Rule[],
  request: { headers: IncomingHttpHeaders; body: unknown },
): string | undefined {
  const fault = faultOf(rules, request)
  return fault && `${fault.field} ${fault.reason === 'missing' ? 'is required' : 'is invalid'}`
}
