// Example operations for the operator (the tenant role Owner): provider health, provider callbacks, unexpected
// money, and payments with an unknown outcome.

import type { Example } from './example-parts.ts'
import { at, exampleId, page } from './example-parts.ts'
import { exampleRefund } from './refund-examples.ts'
import { exampleDifference } from './report-examples.ts'

const overpaid = {
  id: exampleId(21),
  kind: 'overpaid',
  status: 'open',
  provider: 'midtrans',
  provider_account_id: exampleId(14),
  mode: 'test',
  reference: 'GP261120-7Q4M2ZK8XW',
  receipt: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
  tenant_id: exampleId(10),
  payment_id: exampleId(1),
  payment_code: 'GP261120-7Q4M2ZK8XW',
  amount: 12_000_000,
  expected_amount: 10_000_000,
  in_ledger: true,
  return_status: null,
  refund_id: null,
  refund_status: null,
  paid_at: at,
  created_at: at,
  decided_at: null,
  reason: null,
}
const unknownReference = {
  ...overpaid,
  kind: 'unknown_reference',
  reference: 'INV-2026-0042',
  tenant_id: null,
  payment_id: null,
  payment_code: null,
  expected_amount: null,
  in_ledger: false,
}
const refunded = {
  ...overpaid,
  kind: 'refund',
  receipt: '01990000-0000-7000-8000-00000000002f',
  amount: 2_500_000,
  in_ledger: false,
  return_status: 'succeeded',
}
const unsettled = {
  ...exampleDifference,
  id: exampleId(31),
  date: '2026-11-20',
  found_at: '2026-11-20T23:00:12.345Z',
  last_found_at: '2026-11-20T23:00:12.345Z',
  closed_at: null,
  closed_by: null,
  reason: null,
}
const settledLater = 'the provider settles it tomorrow'
const decided = (status: string, reason: string) => ({
  status,
  reason,
  decided_at: '2026-11-20T05:00:00.000Z',
})

const notification = JSON.stringify({
  status_code: '200',
  status_message: 'midtrans payment notification',
  transaction_id: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
  order_id: 'GP261120-7Q4M2ZK8XW',
  merchant_id: 'G459626445',
  gross_amount: '100000.00',
  currency: 'IDR',
  payment_type: 'bank_transfer',
  transaction_time: '2026-11-20 10:04:05',
  transaction_status: 'settlement',
  fraud_status: 'accept',
  va_numbers: [{ bank: 'bca', va_number: '812785002530231' }],
  settlement_time: '2026-11-20 10:09:12',
  payment_amounts: [],
  expiry_time: '2026-11-20 11:04:05',
  signature_key:
    '3d65441b578e33111ecf44a709a2b57f656424401c93e9af0473f64138f865a0371e3e5b388f3715be14828683a72b85a41e0badd84e8f43beb580bef6b98a8c',
})

const sentByProvider = {
  id: exampleId(5),
  provider: 'midtrans',
  provider_account_id: exampleId(14),
  mode: 'test',
  received_at: at,
  headers: {
    host: '127.0.0.1:8080',
    accept: 'application/json',
    connection: 'keep-alive',
    'user-agent': 'Veritrans',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(notification)),
  },
  body: notification,
  body_encoding: 'utf8',
  body_truncated: false,
}

const reprocessed = { outcome: 'repeated', reason: null, payment_id: exampleId(1), from: 'paid', to: 'paid' }

const charge = { tenant_id: exampleId(10), payment_id: exampleId(1), payment_code: 'GP261120-7Q4M2ZK8XW' }
const agreed = 'agreed with the payer by phone'
const payersAccount = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
const lookedUp = "the provider's dashboard does not show the charge"

export const ownerExamples: Record<string, Example> = {
  listChallengedPayments: {
    query: { mode: { test_mode: 'test' } },
    response: page({
      tenant_id: exampleId(10),
      tenant_name: 'Toko Budi',
      payment_id: exampleId(1),
      payment_code: 'GP261120-7Q4M2ZK8XW',
      provider: 'midtrans',
      provider_payment_id: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
      method_type: 'virtual_account',
      mode: 'test',
      amount: 10_000_000,
      amount_received: null,
      failure_reason: 'held by fraud detection',
      customer_name: 'Budi Santoso',
      customer_email: 'budi@example.com',
      customer_phone: '081234567890',
      created_at: at,
      updated_at: '2026-11-20T03:09:12.000Z',
    }),
  },
  listUnexpectedMoney: { query: { mode: { test_mode: 'test' } }, response: page(overpaid) },
  getUnexpectedMoney: { response: overpaid },
  acceptUnexpectedMoney: {
    request: { accept: { reason: agreed } },
    response: { ...overpaid, ...decided('accepted', agreed) },
    failures: {
      CONFLICT: [
        'it is unknown which payment this money is for; assign the money to a payment, or refund it',
      ],
    },
  },
  assignUnexpectedMoney: {
    request: { assign: { payment_id: charge.payment_id, reason: agreed } },
    response: {
      ...overpaid,
      ...unknownReference,
      ...charge,
      expected_amount: 10_000_000,
      in_ledger: true,
      ...decided('accepted', agreed),
    },
    failures: {
      NOT_FOUND: [
        `unexpected money record ${overpaid.id} not found`,
        `payment ${charge.payment_id} not found`,
      ],
      CONFLICT: [`this money already belongs to payment ${charge.payment_id}; accept or refund the money`],
    },
  },
  refundUnexpectedMoney: {
    request: {
      excess: { reason: agreed, bank_account: payersAccount },
      partial_amount: { amount: 1_500_000, reason: agreed, bank_account: payersAccount },
    },
    response: {
      ...overpaid,
      ...decided('refunded', agreed),
      refund_id: exampleRefund.id,
      refund_status: 'pending',
    },
    failures: {
      CONFLICT: ['the provider has already taken this money back; a reversal can only be accepted'],
    },
  },
  dismissUnexpectedMoney: {
    request: { dismiss: { reason: agreed } },
    response: { ...refunded, ...decided('dismissed', agreed) },
    failures: {
      CONFLICT: ['only a refund or a chargeback can be dismissed; the kind of this record is overpaid'],
    },
  },
  listUnknownPayments: {
    query: { mode: { test_mode: 'test' } },
    response: page({
      ...charge,
      reference: charge.payment_code,
      provider: 'midtrans',
      amount: 10_000_000,
      mode: 'test',
      since: at,
      reason: 'answered HTTP 200',
      next_inquiry_at: '2026-11-20T04:10:25.678Z',
      waits_for_operator: false,
    }),
  },
  inquireUnknownPayment: {
    response: { ...charge, outcome: 'pending', reason: null },
    failures: { CONFLICT: ['the outcome of this payment is already known: it is pending'] },
  },
  resolveUnknownPayment: {
    request: { not_created: { decision: 'not_created', reason: lookedUp } },
    response: { ...charge, outcome: 'not_created', reason: lookedUp },
    failures: { CONFLICT: ['the outcome of this payment is already known: it is pending'] },
  },
  getLedgerVerification: {
    response: {
      last: {
        day: '2026-11-20',
        started_at: at,
        ended_at: '2026-11-20T04:12:00.000Z',
        balances: 8,
        entries: 0,
        payments: 0,
        orders_not_checked: 0,
        differences: 0,
      },
      differences: [],
    },
  },
  listReconciliationRuns: {
    query: { mode: { live_payments: 'live' } },
    responses: {
      live_payments: {
        items: [
          {
            id: exampleId(32),
            date: '2026-11-20',
            mode: 'live',
            state: 'complete',
            started_at: '2026-11-20T23:00:12.000Z',
            ended_at: '2026-11-20T23:00:13.000Z',
            retry_at: null,
            compared: { settlement: 0, inquiry: 0, unknown_lines: 0 },
            not_checked: [],
            differences: 0,
          },
        ],
        next_cursor: null,
      },
    },
  },
  listReconciliationDifferences: {
    query: { payment_id: { of_one_payment: exampleId(1) } },
    response: page(unsettled),
  },
  closeReconciliationDifference: {
    request: { settled_later: { reason: settledLater } },
    response: {
      ...unsettled,
      closed_at: '2026-11-21T02:00:00.000Z',
      closed_by: 'owner',
      reason: settledLater,
    },
    failures: { CONFLICT: [`this difference is already closed: ${settledLater}`] },
  },
  listProviderCallbacks: {
    query: { mode: { test_mode: 'test' } },
    response: page({
      ...sentByProvider,
      status: 'applied',
      reason: null,
      tenant_id: exampleId(10),
      payment_id: exampleId(1),
      payment_code: 'GP261120-7Q4M2ZK8XW',
      processed_at: at,
    }),
  },
  listTenantPaymentCallbacks: {
    response: [
      {
        id: exampleId(4),
        provider: sentByProvider.provider,
        status: 'ignored',
        reason: 'a report of pending changes nothing',
        received_at: sentByProvider.received_at,
        processed_at: at,
      },
      {
        id: sentByProvider.id,
        provider: sentByProvider.provider,
        status: 'applied',
        reason: null,
        received_at: sentByProvider.received_at,
        processed_at: at,
      },
    ],
  },
  listRejectedCallbacks: {
    query: { mode: { test_mode: 'test' } },
    response: page({ ...sentByProvider, reason: 'signature_key is wrong' }),
  },
  reprocessProviderCallback: {
    request: { preview: { dry_run: true }, apply: { dry_run: false } },
    responses: {
      preview: { ...reprocessed, dry_run: true },
      apply: { ...reprocessed, dry_run: false },
    },
    failures: { PROVIDER_ERROR: ['[midtrans]: no answer within 10 s'] },
  },
  listProviderHealth: {
    response: page({
      account_id: exampleId(14),
      provider_code: 'midtrans',
      name: 'Midtrans of PT Toko Budi',
      mode: 'test',
      enabled: true,
      circuit: 'closed',
      since: null,
      calls: 0,
      failures: 0,
      slow: 0,
      failure_rate: null,
      p50_latency_ms: null,
      p95_latency_ms: null,
      window_seconds: 60,
      next_probe_at: null,
    }),
  },
}
