// Shared values for the API document's examples. IDs and secrets are placeholders with the same meaning in every
// example. A test against a running service replaces the placeholders with real values.

import type { OwnFailures } from './error-responses.ts'

/**
 * The examples of an API operation. The entries with the same name in `keys`, `query`, `request` and `responses`
 * together form one example. A single `response` is the response to every example request. A list in an actual response
 * may have more items.
 */
export type Example = {
  /** Maps each example's name to the value of its X-Idempotency-Key header. */
  keys?: Record<string, string>
  /**
   * Maps the name of each query parameter to its values: one value for each example request, by the name of
   * the example.
   */
  query?: Record<string, Record<string, string | number>>
  request?: Record<string, unknown>
  csv?: string
  failures?: OwnFailures
} & ({ response: unknown } | { responses: Record<string, unknown> })

/**
 * Returns the example ID with the number `n`: 1 is the payment, 2 its event, 3 its ledger entry, 10 the merchant,
 * 11 the merchant's user, and 13 the merchant's API key.
 */
export const exampleId = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`

export const exampleTenantId = exampleId(10)
export const at = '2026-11-20T03:04:05.678Z'
export const paidAt = '2026-11-20T03:09:12.000Z'
export const page = (...items: object[]) => ({ items, next_cursor: null })

export const examplePayment = {
  id: exampleId(1),
  tenant_id: exampleTenantId,
  mode: 'test',
  payment_code: 'GP261120-7Q4M2ZK8XW',
  idempotency_key: 'order-1001',
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'virtual_account',
  method_data: { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' },
  status: 'pending',
  provider: 'midtrans',
  provider_payment_id: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
  customer_name: 'Budi Santoso',
  customer_email: 'budi@example.com',
  customer_phone: '081234567890',
  items: [],
  expires_at: '2026-11-20T04:04:05.678Z',
  paid_at: null,
  amount_paid: null,
  amount_refunded: 0,
  amount_reversed: 0,
  failure_reason: null,
  created_at: at,
  updated_at: at,
}

export const order = {
  amount: 10_000_000,
  currency: 'IDR',
  customer_name: 'Budi Santoso',
  customer_email: 'budi@example.com',
  customer_phone: '081234567890',
}
export const paidPayment = {
  ...examplePayment,
  status: 'paid',
  paid_at: paidAt,
  amount_paid: examplePayment.amount,
}

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
export const callbackUrl = 'https://shop.example.com/hooks/gapura'
