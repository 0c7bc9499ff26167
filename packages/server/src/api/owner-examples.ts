// Examples for what comes before the Owner: how providers fare and what they sent, unexpected money, unknown
// outcomes.

import type { Example } from './examples.ts'

const id = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`
const at = '2026-11-20T03:04:05.678Z'
const page = (...items: object[]) => ({ items, next_cursor: null })

const overpaid = {
  id: id(21),
  kind: 'overpaid',
  status: 'open',
  provider: 'midtrans',
  provider_account_id: id(14),
  mode: 'live',
  reference: 'GP261120-7Q4M2ZK8XW',
  receipt: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
  tenant_id: id(10),
  payment_id: id(1),
  payment_code: 'GP261120-7Q4M2ZK8XW',
  amount: 12_000_000,
  expected_amount: 10_000_000,
  in_ledger: true,
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
const decided = (status: string, reason: string) => ({
  status,
  reason,
  decided_at: '2026-11-20T05:00:00.000Z',
})

const sentByProvider = {
  id: id(5),
  provider: 'midtrans',
  provider_account_id: id(14),
  received_at: at,
  headers: { 'content-type': 'application/json' },
  body: '{"transaction_status":"settlement","order_id":"GP261120-7Q4M2ZK8XW"}',
  body_encoding: 'utf8',
  body_truncated: false,
}

const charge = { tenant_id: id(10), payment_id: id(1), payment_code: 'GP261120-7Q4M2ZK8XW' }
const agreed = 'agreed with the payer by phone'
const lookedUp = 'not in the dashboard of the provider'

export const ownerExamples: Record<string, Example> = {
  listUnexpectedMoney: { response: page(overpaid) },
  getUnexpectedMoney: { response: overpaid },
  acceptUnexpectedMoney: {
    request: { accept: { reason: agreed } },
    response: { ...overpaid, ...decided('accepted', agreed) },
  },
  assignUnexpectedMoney: {
    request: { assign: { payment_id: charge.payment_id, reason: agreed } },
    response: {
      ...overpaid,
      ...unknownReference,
      ...charge,
      in_ledger: true,
      ...decided('accepted', agreed),
    },
  },
  refundUnexpectedMoney: {
    request: { the_excess: { reason: agreed }, so_much: { amount: 1_500_000, reason: agreed } },
    response: { ...overpaid, ...decided('refunded', agreed) },
  },
  listUnknownPayments: {
    response: page({
      ...charge,
      reference: charge.payment_code,
      provider: 'midtrans',
      amount: 10_000_000,
      mode: 'live',
      since: at,
      reason: 'no answer within 10 s',
      next_inquiry_at: '2026-11-20T04:10:25.678Z',
      waits_for_operator: false,
    }),
  },
  inquireUnknownPayment: { response: { ...charge, outcome: 'pending', reason: null } },
  resolveUnknownPayment: {
    request: { not_created: { decision: 'not_created', reason: lookedUp } },
    response: { ...charge, outcome: 'not_created', reason: lookedUp },
  },
  listProviderCallbacks: {
    response: page({
      ...sentByProvider,
      status: 'applied',
      reason: null,
      tenant_id: id(10),
      payment_id: id(1),
      processed_at: at,
    }),
  },
  listRejectedCallbacks: {
    response: page({ ...sentByProvider, reason: 'signature_key does not match' }),
  },
  reprocessProviderCallback: {
    request: { for_real: { dry_run: false } },
    response: {
      outcome: 'applied',
      reason: null,
      payment_id: id(1),
      from: 'pending',
      to: 'paid',
      dry_run: false,
    },
  },
  listProviderHealth: {
    response: page({
      account_id: id(14),
      provider_code: 'midtrans',
      name: 'Midtrans of PT Toko Budi',
      mode: 'test',
      enabled: true,
      circuit: 'open',
      since: at,
      calls: 48,
      failures: 36,
      slow: 12,
      failure_rate: 0.75,
      p50_latency_ms: 310,
      p95_latency_ms: 10_250,
      window_seconds: 60,
      next_probe_at: '2026-11-20T03:04:15.678Z',
    }),
  },
}
