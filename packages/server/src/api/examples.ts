// Examples for the OpenAPI document, by operation. A test holds each against its schema.

import { ownerExamples } from './owner-examples.ts'
import { reportExamples } from './report-examples.ts'

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

const login = {
  access_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2ln',
  refresh_token: 'gp_refresh_Zm9v',
  token_type: 'Bearer',
  expires_in: 900,
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

const merchant = {
  id: tenant,
  name: 'Toko Budi',
  role: 'client',
  tier: 'starter',
  parent_id: id(15),
  status: 'active',
  created_at: at,
  updated_at: at,
}
const user = { id: id(11), email: 'budi@example.com', created_at: at }
const apiKey = {
  id: id(13),
  name: 'web shop',
  mode: 'test',
  display_prefix: 'gp_test_4fQz',
  created_at: at,
  last_used_at: at,
  expires_at: null,
  revoked_at: null,
}
const newApiKey = {
  id: apiKey.id,
  name: apiKey.name,
  mode: apiKey.mode,
  key: 'gp_test_4fQzL0aJr2mXc8VdT5uYb1NsKe7WhG3P0bXk2J',
  display_prefix: apiKey.display_prefix,
  created_at: at,
}
const providerAccount = {
  id: id(14),
  provider_code: 'midtrans',
  mode: 'test',
  name: 'Midtrans of PT Toko Budi',
  base_url: null,
  enabled: true,
  created_at: at,
  updated_at: at,
}
const entitlement = { provider_account_id: providerAccount.id, priority: 100 }
const virtualAccountRule = {
  position: 1,
  method_type: 'virtual_account',
  channel: null,
  min_amount: null,
  max_amount: null,
  provider_account_id: providerAccount.id,
  weight: 1,
}

const ledgerEntry = {
  id: id(3),
  payment_id: payment.id,
  tenant_id: tenant,
  entry_type: 'credit',
  amount: 10_000_000,
  balance_after: 25_000_000,
  reference_id: payment.payment_code,
  reason: `payment ${payment.payment_code} received`,
  created_at: at,
}
const page = (...items: object[]) => ({ items, next_cursor: null })

export type Example = { request?: Record<string, object>; response: unknown }

export const examples: Record<string, Example> = {
  ...ownerExamples,
  ...reportExamples,
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
  listPaymentLedger: { response: [ledgerEntry] },
  listPayments: { response: page(payment) },
  listPaymentTimeline: {
    response: [
      { at, from: null, to: 'pending', cause: 'create', detail: null },
      { at: '2026-11-20T03:09:12.345Z', from: 'pending', to: 'paid', cause: 'callback', detail: null },
    ],
  },
  listPaymentAttempts: {
    response: [
      {
        number: 1,
        provider: 'xendit',
        reference: payment.payment_code,
        outcome: 'not_created',
        reason: 'could not be reached',
        started_at: at,
        ended_at: '2026-11-20T03:04:06.012Z',
      },
      {
        number: 2,
        provider: 'midtrans',
        reference: `${payment.payment_code}-2`,
        outcome: 'accepted',
        reason: null,
        started_at: '2026-11-20T03:04:06.012Z',
        ended_at: null,
      },
    ],
  },
  resolvePayment: {
    request: { accept: { decision: 'accept', reason: 'the difference was waived' } },
    response: { ...payment, status: 'paid', paid_at: at, amount_paid: 9_900_000 },
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
    response: login,
  },
  refresh: { request: { refresh: { refresh_token: login.refresh_token } }, response: login },
  logout: { request: { logout: { refresh_token: login.refresh_token } }, response: { logged_out: true } },
  requestPasswordReset: {
    request: { reset: { tenant_id: tenant, email: 'client@example.com' } },
    response: { requested: true },
  },
  confirmPasswordReset: {
    request: { reset: { token: 'gp_reset_Zm9v', new_password: 'correct horse battery staple' } },
    response: { reset: true },
  },
  listLedger: { response: page(ledgerEntry) },
  getBalance: { response: { mode: 'test', currency: 'IDR', balance: 25_000_000 } },
  getWebhook: { response: endpoint },
  setWebhook: { request: { https: { callback_url: endpoint.callback_url } }, response: endpoint },
  rotateWebhookSecret: { response: { ...endpoint, previous_secret_expires_at: '2026-11-21T03:04:05.678Z' } },
  sendTestWebhook: {
    response: {
      ...delivery,
      type: 'webhook.test',
      payment_id: null,
      status: 'pending',
      next_attempt_at: at,
      attempts: [],
    },
  },
  listWebhookDeliveries: { response: page(delivery) },
  redeliverFailedWebhooks: {
    request: { after_an_outage: { since: '2026-11-20T00:00:00Z', status: 'permanently_failed' } },
    response: { redelivered: 42 },
  },
  getWebhookDelivery: { response: delivery },
  listenForWebhooks: {
    response: {
      events: [
        { id: id(2), headers: { 'webhook-id': id(2), 'x-service-event-type': 'payment.paid' }, body: '{}' },
      ],
      cursor: 'MDE5OTAwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAy',
    },
  },
  listAuditLog: { response: page(auditEntry) },
  redeliverWebhook: { response: { ...delivery, status: 'pending', next_attempt_at: at } },
  listTenants: { response: page(merchant) },
  createTenant: { request: { client: { name: 'Toko Budi' } }, response: merchant },
  getTenant: { response: merchant },
  updateTenant: {
    request: { suspend: { status: 'suspended' } },
    response: { ...merchant, status: 'suspended' },
  },
  getAccount: { response: { ...merchant, user } },
  listApiKeys: { response: page(apiKey) },
  createApiKey: { request: { test: { name: 'web shop', mode: 'test' } }, response: newApiKey },
  revokeApiKey: { response: { ...apiKey, revoked_at: at } },
  rotateApiKey: { request: { an_hour: { grace_minutes: 60 } }, response: { ...newApiKey, id: id(16) } },
  listOwnApiKeys: { response: page(apiKey) },
  listUsers: { response: page(user) },
  createUser: {
    request: { user: { email: user.email, password: 'correct horse battery staple' } },
    response: user,
  },
  getEntitlements: { response: page(entitlement) },
  setEntitlements: { request: { one: { items: [entitlement] } }, response: page(entitlement) },
  getRoutingRules: { response: page(virtualAccountRule) },
  setRoutingRules: {
    request: {
      virtual_accounts: {
        items: [{ method_type: 'virtual_account', provider_account_id: providerAccount.id }],
      },
    },
    response: page(virtualAccountRule),
  },
  listProviders: {
    response: page({
      code: 'midtrans',
      name: 'Midtrans',
      methods: [
        {
          type: 'virtual_account',
          name: 'Virtual Account',
          channels: [
            {
              code: 'bca',
              name: 'BCA',
              limits: {
                whole_rupiah: true,
                min_amount: null,
                max_amount: null,
                min_expiry_minutes: 1,
                max_expiry_minutes: 259_200,
              },
            },
          ],
        },
      ],
      credentials: { type: 'object', properties: { server_key: {} }, required: ['server_key'] },
    }),
  },
  listProviderAccounts: { response: page(providerAccount) },
  createProviderAccount: {
    request: {
      test: { mode: 'test', name: providerAccount.name, credentials: { server_key: 'SB-Mid-server-…' } },
    },
    response: providerAccount,
  },
  updateProviderAccount: {
    request: { disable: { enabled: false } },
    response: { ...providerAccount, enabled: false },
  },
}
