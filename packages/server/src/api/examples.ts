// Examples for the OpenAPI document, by operation. A test holds each against its schema.

const id = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`
const tenant = id(10)
const at = '2026-11-20T03:04:05.678Z'

const payment = {
  id: id(1),
  tenant_id: tenant,
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
  failure_reason: null,
  created_at: at,
  updated_at: at,
}

const order = {
  amount: 10_000_000,
  currency: 'IDR',
  customer_name: 'Budi Santoso',
  customer_email: 'budi@example.com',
}
const delivery = {
  id: id(2),
  type: 'payment.paid',
  payment_id: payment.id,
  mode: 'test',
  status: 'delivered',
  next_attempt_at: null,
  created_at: at,
  attempts: [
    { number: 1, started_at: at, duration_ms: 38, response_status: 200, response_body: 'ok', error: null },
  ],
}
const endpoint = {
  callback_url: 'https://shop.example.com/hooks/gapura',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  previous_secret_expires_at: null,
}

const auditEntry = {
  id: id(4),
  at,
  actor_tenant_id: tenant,
  actor_user_id: id(11),
  action: 'webhook.set_url',
  tenant_id: tenant,
  subject_id: null,
  before: { callback_url: null },
  after: { callback_url: endpoint.callback_url },
  request_id: id(12),
}

const page = (...items: object[]) => ({ items, next_cursor: null })

export type Example = { request?: Record<string, object>; response: unknown }

export const examples: Record<string, Example> = {
  createPayment: {
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
      },
      over_the_counter: {
        ...order,
        method_type: 'over_the_counter',
        method_detail: { type: 'over_the_counter', store: 'ALFAMART' },
      },
    },
    response: payment,
  },
  getPayment: { response: { ...payment, status: 'paid', paid_at: at, amount_paid: 10_000_000 } },
  cancelPayment: { response: { ...payment, status: 'cancelled' } },
  listPaymentLedger: {
    response: [
      {
        id: id(3),
        payment_id: payment.id,
        tenant_id: tenant,
        entry_type: 'credit',
        amount: 10_000_000,
        balance_after: 25_000_000,
        reference_id: payment.payment_code,
        reason: `payment ${payment.payment_code} received`,
        created_at: at,
      },
    ],
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
  login: {
    request: { login: { email: 'client@example.com', password: 'correct horse battery staple' } },
    response: {
      access_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2ln',
      refresh_token: 'gp_refresh_Zm9v',
      token_type: 'Bearer',
      expires_in: 900,
    },
  },
  getBalance: { response: { mode: 'test', currency: 'IDR', balance: 25_000_000 } },
  getWebhook: { response: endpoint },
  setWebhook: { request: { https: { callback_url: endpoint.callback_url } }, response: endpoint },
  getWebhookDelivery: { response: delivery },
  listAuditLog: { response: page(auditEntry) },
  redeliverWebhook: { response: { ...delivery, status: 'pending', next_attempt_at: at } },
}
