// Example operations for a merchant's server: payments, payment methods, the balance and the ledger.

import { exportColumns } from '../payments/read/export-line.ts'
import type { Example } from './example-parts.ts'
import {
  at,
  exampleId,
  examplePayment,
  exampleTenantId,
  order,
  page,
  paidAt,
  paidPayment,
} from './example-parts.ts'

const ledgerEntry = {
  id: exampleId(3),
  payment_id: examplePayment.id,
  tenant_id: exampleTenantId,
  entry_type: 'credit',
  amount: examplePayment.amount,
  balance_after: examplePayment.amount,
  reference_id: examplePayment.payment_code,
  reason: `payment ${examplePayment.payment_code} received`,
  created_at: paidAt,
}

const timeline = [
  { at, from: null, to: 'pending', cause: 'create', detail: null },
  { at: paidAt, from: 'pending', to: 'paid', cause: 'callback', detail: null },
]
const attempts = [
  {
    number: 1,
    provider: 'midtrans',
    reference: examplePayment.payment_code,
    outcome: 'accepted',
    reason: null,
    started_at: at,
    ended_at: null,
  },
]

export const paymentExamples: Record<string, Example> = {
  createPayment: {
    keys: {
      virtual_account: 'order-1001',
      qris: 'order-1002',
      e_wallet: 'order-1003',
      over_the_counter: 'order-1004',
    },
    request: {
      virtual_account: {
        ...order,
        method_type: 'virtual_account',
        method_detail: { type: 'virtual_account', bank: 'BCA' },
      },
      qris: { ...order, method_type: 'qris', method_detail: { type: 'qris' } },
      e_wallet: {
        ...order,
        method_type: 'e_wallet',
        method_detail: { type: 'e_wallet', wallet_type: 'GOPAY' },
        return_url: 'https://shop.example.com/orders/1003',
      },
      over_the_counter: {
        ...order,
        method_type: 'over_the_counter',
        method_detail: { type: 'over_the_counter', store: 'ALFAMART' },
      },
    },
    responses: {
      virtual_account: examplePayment,
      qris: {
        ...examplePayment,
        idempotency_key: 'order-1002',
        method_type: 'qris',
        method_data: {
          type: 'qris',
          qr_string: '00020101021226610014COM.GO-JEK.WWW5204000053033605802ID5910TOKO BUDI63041234',
          qr_image_url: 'https://api.midtrans.com/v2/qris/be03df7d-2f97-4c8c-a53c-8959f1b67295/qr-code',
        },
      },
      e_wallet: {
        ...examplePayment,
        idempotency_key: 'order-1003',
        method_type: 'e_wallet',
        method_data: {
          type: 'e_wallet',
          wallet_type: 'GOPAY',
          redirect_url: 'https://api.midtrans.com/v2/gopay/be03df7d-2f97-4c8c-a53c-8959f1b67295/qr-code',
          deeplink: 'gojek://gopay/merchanttransfer?tref=1',
        },
      },
      over_the_counter: {
        ...examplePayment,
        idempotency_key: 'order-1004',
        method_type: 'over_the_counter',
        method_data: {
          type: 'over_the_counter',
          store: 'ALFAMART',
          store_name: 'Alfamart',
          payment_code: '8127740588870520',
        },
      },
    },
    failures: {
      BAD_REQUEST: [
        'amount: must be greater than zero',
        'method_detail.bank: muamalat is not enabled for this tenant; available: bca, bni, bri, cimb, permata, mandiri',
      ],
      IDEMPOTENCY_CONFLICT: [
        'this X-Idempotency-Key was used with a different body',
        'the first request with this X-Idempotency-Key is still running; repeat the request later',
      ],
      PROVIDER_ERROR: [
        '[midtrans]: refused: Transaction is rejected by FDS',
        '[midtrans]: no answer within 10 s; the outcome is being checked; repeat the request with the same X-Idempotency-Key',
      ],
    },
  },
  getPayment: { response: paidPayment },
  cancelPayment: {
    response: { ...examplePayment, status: 'cancelled' },
    failures: { INVALID_STATE_TRANSITION: ['from paid to cancelled'] },
  },
  listPaymentLedger: { response: [ledgerEntry] },
  listPayments: {
    response: page(examplePayment),
    csv: `${exportColumns.join()}\r\n${[
      ...[
        examplePayment.id,
        examplePayment.payment_code,
        examplePayment.idempotency_key,
        'test',
        examplePayment.status,
      ],
      ...[examplePayment.method_type, 'bca', examplePayment.provider, examplePayment.provider_payment_id],
      ...[examplePayment.currency, examplePayment.amount, examplePayment.amount_paid],
      ...[examplePayment.customer_name, examplePayment.customer_email, examplePayment.customer_phone],
      ...[
        examplePayment.created_at,
        examplePayment.expires_at,
        examplePayment.paid_at,
        examplePayment.updated_at,
        examplePayment.failure_reason,
      ],
    ].join()}\r\n`,
  },
  listTenantPayments: { query: { mode: { test_mode: 'test' } }, response: page(examplePayment) },
  getTenantPayment: { response: paidPayment },
  listPaymentTimeline: { response: timeline },
  listTenantPaymentTimeline: { response: timeline },
  listPaymentAttempts: { response: attempts },
  listTenantPaymentAttempts: { response: attempts },
  resolvePayment: {
    request: {
      accept: { decision: 'accept', reason: 'the difference was waived' },
      reject: { decision: 'reject', reason: 'the payer wants the money back' },
    },
    responses: {
      accept: { ...paidPayment, amount_paid: 9_900_000 },
      reject: { ...examplePayment, status: 'failed', failure_reason: 'the payer wants the money back' },
    },
    failures: {
      INVALID_STATE_TRANSITION: ['from pending to paid'],
      CONFLICT: [
        'the provider does not confirm that the money was received; to credit payment GP261120-7Q4M2ZK8XW anyway, send without_confirmation: true',
      ],
    },
  },
  listActiveMethods: {
    response: {
      providers: [
        {
          code: 'midtrans',
          name: 'Midtrans',
          methods: [
            { type: 'virtual_account', name: 'Virtual Account', channels: [{ code: 'bca', name: 'BCA' }] },
          ],
        },
      ],
    },
  },
  listLedger: { response: page({ ...ledgerEntry, mode: 'test' }) },
  getLedgerSeal: {
    response: {
      tenant_id: exampleTenantId,
      mode: 'test',
      entries: 1,
      hash: '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3',
      statement: 'eyJhbGciOiJSUzI1NiJ9.eyJyb290IjoiLi4uIn0.c2ln',
      proof: [{ side: 'right', hash: '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7' }],
    },
    failures: {
      NOT_FOUND: ['no entry of this ledger is sealed yet; entries are sealed within about ten minutes'],
    },
  },
  getBalance: {
    response: { mode: 'test', currency: 'IDR', balance: examplePayment.amount, held: 0 },
    failures: { BAD_REQUEST: ['mode: must be one of live, test'] },
  },
}
