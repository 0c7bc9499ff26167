// Example operations on refunds.

import type { Example } from './example-parts.ts'
import { exampleId, examplePayment, exampleTenantId, page, paidAt } from './example-parts.ts'

export const exampleRefund = {
  id: exampleId(33),
  payment_id: examplePayment.id,
  tenant_id: exampleTenantId,
  mode: 'test',
  amount: 2_000_000,
  currency: 'IDR',
  status: 'pending',
  method: 'manual',
  origin: 'merchant',
  in_ledger: true,
  reason: 'one book was missing',
  provider_refund_id: null,
  failure_reason: null,
  created_at: paidAt,
  updated_at: paidAt,
  succeeded_at: null,
}

const succeeded = { ...exampleRefund, status: 'succeeded', succeeded_at: paidAt }

export const refundExamples: Record<string, Example> = {
  createRefund: {
    keys: { value: 'refund-1001' },
    request: {
      value: {
        amount: 2_000_000,
        reason: 'one book was missing',
        bank_account: { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' },
      },
    },
    response: exampleRefund,
    failures: {
      BAD_REQUEST: ['amount: must be at most 10000000 cents, which is what is left to refund'],
      INVALID_STATE_TRANSITION: ['only a paid payment can be refunded; this payment is pending'],
      INSUFFICIENT_BALANCE: ['the balance of 0 cents does not cover the refund of 2000000 cents'],
    },
  },
  listPaymentRefunds: { response: [exampleRefund] },
  listTenantPaymentRefunds: { response: [exampleRefund] },
  listRefunds: { response: page(exampleRefund) },
  getRefund: { response: exampleRefund },
  resolveRefund: {
    request: { value: { outcome: 'succeeded', bank_reference: 'TRF-20261120-0001' } },
    response: succeeded,
    failures: {
      INVALID_STATE_TRANSITION: ['only a pending refund can be resolved; this refund is already succeeded'],
    },
  },
}
