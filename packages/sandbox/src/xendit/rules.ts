import { faultOf, type Rule } from '../rules.ts'
import { type Answer, validationRefusal } from './errors.ts'

// The rules for requests that Xendit's official libraries can send. xendit-node, xendit-python and xendit-go 7.0.0 are
// generated from one API description, so they have the same models (payment_request/model_*.go,
// refund/model_create_refund.go). xendit-java cannot send these requests. No library supports v3 payment requests.

const request = 'payment_request model_payment_request_parameters.go'
const method = 'payment_request model_payment_method_parameters.go'
const refund = 'refund model_create_refund.go'

const texts = (source: string, ...fields: string[]): Rule[] => fields.map(field => ({ field, source }))

const account = 'payment_method.virtual_account'
const store = 'payment_method.over_the_counter'
const wallet = 'payment_method.ewallet.channel_properties'

export const xenditRules = {
  // The validation rules for Xendit's v2 payment requests.
  paymentRequest: [
    ...texts(request, 'reference_id', 'description', 'payment_method_id', 'customer_id'),
    { field: 'amount', type: 'number', source: request },
    {
      field: 'currency',
      required: true,
      oneOf: ['IDR', 'PHP', 'VND', 'THB', 'MYR', 'USD'],
      source: 'payment_request model_payment_request_currency.go',
    },
    { field: 'metadata', type: 'object', source: request },
    { field: 'items', type: 'list', source: request },
    { field: 'payment_method', type: 'object', source: request },
    {
      field: 'payment_method.type',
      oneOf: ['CARD', 'DIRECT_DEBIT', 'EWALLET', 'OVER_THE_COUNTER', 'QR_CODE', 'VIRTUAL_ACCOUNT'],
      source: 'payment_request model_payment_method_type.go',
    },
    {
      field: 'payment_method.reusability',
      oneOf: ['MULTIPLE_USE', 'ONE_TIME_USE'],
      source: 'payment_request model_payment_method_reusability.go',
    },
    ...texts(method, 'payment_method.reference_id', 'payment_method.description'),
    ...texts(
      'payment_request model_virtual_account_channel_properties.go',
      `${account}.channel_properties.customer_name`,
      `${account}.channel_properties.virtual_account_number`,
      `${account}.channel_properties.expires_at`,
    ),
    ...texts(
      'payment_request model_over_the_counter_channel_properties.go',
      `${store}.channel_properties.customer_name`,
      `${store}.channel_properties.payment_code`,
      `${store}.channel_properties.expires_at`,
    ),
    ...texts(
      'payment_request model_e_wallet_channel_properties.go',
      `${wallet}.success_return_url`,
      `${wallet}.failure_return_url`,
      `${wallet}.cancel_return_url`,
      `${wallet}.mobile_number`,
      `${wallet}.cashtag`,
    ),
  ],
  refund: [
    ...texts(refund, 'payment_request_id', 'invoice_id', 'reference_id', 'currency'),
    { field: 'amount', type: 'number', source: refund },
    {
      field: 'reason',
      oneOf: ['FRAUDULENT', 'DUPLICATE', 'REQUESTED_BY_CUSTOMER', 'CANCELLATION', 'OTHERS'],
      source:
        "Xendit's library for Python lists these values of reason (refund/model/create_refund.py); the libraries for Go and Node accept any text",
    },
    { field: 'metadata', type: 'object', source: refund },
  ],
} satisfies Record<string, readonly Rule[]>

/** Returns the error for the first rule that the request violates. */
export function ruleRefusal(rules: readonly Rule[], body: unknown): Answer | undefined {
  const fault = faultOf(rules, { headers: {}, body })
  if (!fault) return undefined
  const message = fault.reason === 'missing' ? 'is required' : 'is invalid'
  return validationRefusal('path', [{ path: fault.field.split('.'), message }])
}
