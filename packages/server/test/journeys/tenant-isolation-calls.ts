// The API calls that tenant-isolation.test.ts makes.

import type { Demo } from '../../src/demo/demo.ts'
import { newId } from '../../src/values/id.ts'
import { anOrder } from '../support/order.ts'

/** The IDs of one merchant's objects that the API calls in this file use. */
export type Things = {
  tenantId: string
  paid: string
  paidCode: string
  pending: string
  refund: string
  event: string
  endpoint: string
  request: string
  key: string
  user: string
  colleague: string
  invited: string
  session: string
}

export type Who = 'shop' | 'client' | 'partner'
export type TenantCall = [
  operation: string,
  who: Who,
  method: string,
  path: () => string,
  body?: () => object,
]

export const since = new Date().toISOString()
const aPayment = '?method_type=virtual_account&channel=bca&amount=10000000'
const aRoute = `/route${aPayment}&mode=test`

export const newUser = () => ({ email: `${newId()}@example.com`, password: 'rahasia sekali' })

export const aRefund = () => ({
  amount: 100,
  bank_account: { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' },
})

/**
 * Returns the calls to test. Of the roles that may make a call, the one with the fewest rights makes it.
 * The Owner's calls are left out, because the Owner may read all tenants' data.
 */
export function tenantCalls(demo: Demo, own: () => Things): TenantCall[] {
  const ofEndpoint = (rest = '') => `/v1/webhook-endpoints/${own().endpoint}${rest}`
  const ofClient = (rest = '') => `/v1/tenants/${own().tenantId}${rest}`
  const samePassword = () => ({ current_password: demo.client.password, new_password: demo.client.password })
  const entitled = () => ({
    items: demo.provider_accounts.map(({ id }) => ({ provider_account_id: id })),
  })
  return [
    ['createPayment', 'shop', 'POST', () => '/v1/payments/create', anOrder],
    ['getPayment', 'shop', 'GET', () => `/v1/payments/${own().paid}`],
    ['listPaymentLedger', 'shop', 'GET', () => `/v1/payments/${own().paid}/ledger`],
    ['listPaymentTimeline', 'shop', 'GET', () => `/v1/payments/${own().paid}/timeline`],
    ['listPaymentAttempts', 'shop', 'GET', () => `/v1/payments/${own().paid}/attempts`],
    ['cancelPayment', 'shop', 'POST', () => `/v1/payments/${own().pending}/cancel`],
    ['listPayments', 'shop', 'GET', () => '/v1/payments?limit=5'],
    ['listPayments', 'shop', 'GET', () => '/v1/payments?q=budi'],
    ['listPayments', 'shop', 'GET', () => `/v1/payments?q=${own().paidCode}`],
    ['listActiveMethods', 'shop', 'GET', () => '/v1/active-methods'],
    ['listLedger', 'shop', 'GET', () => '/v1/account/ledger?limit=5'],
    ['getBalance', 'shop', 'GET', () => '/v1/account/balance'],
    ['getLedgerSeal', 'shop', 'GET', () => '/v1/account/ledger/seal'],
    ['listRequests', 'shop', 'GET', () => '/v1/account/requests?limit=5'],
    ['getRequest', 'shop', 'GET', () => `/v1/account/requests/${own().request}`],
    ['listenForWebhooks', 'shop', 'GET', () => '/v1/account/webhook/events?wait_seconds=0'],
    ['keys.createForSession', 'client', 'POST', () => '/trpc/keys.createForSession', () => ({})],
    [
      'payments.standing',
      'client',
      'GET',
      () => `/trpc/payments.standing?input=${encodeURIComponent(JSON.stringify({ payment_id: own().paid }))}`,
    ],
    ['getAccount', 'client', 'GET', () => '/v1/account'],
    ['getWebhook', 'client', 'GET', () => '/v1/account/webhook'],
    [
      'setWebhook',
      'client',
      'PUT',
      () => '/v1/account/webhook',
      () => ({ callback_url: 'http://127.0.0.1:9/' }),
    ],
    ['rotateWebhookSecret', 'client', 'POST', () => '/v1/account/webhook/rotate-secret'],
    ['sendTestWebhook', 'client', 'POST', () => '/v1/account/webhook/test'],
    ['listWebhookDeliveries', 'client', 'GET', () => '/v1/webhook-deliveries?mode=test&limit=5'],
    ['getWebhookDelivery', 'client', 'GET', () => `/v1/webhook-deliveries/${own().event}`],
    ['redeliverWebhook', 'client', 'POST', () => `/v1/webhook-deliveries/${own().event}/redeliver`],
    [
      'redeliverFailedWebhooks',
      'client',
      'POST',
      () => '/v1/webhook-deliveries/redeliver',
      () => ({ since }),
    ],
    ['listWebhookEndpoints', 'client', 'GET', () => '/v1/webhook-endpoints?mode=test'],
    [
      'createWebhookEndpoint',
      'client',
      'POST',
      () => '/v1/webhook-endpoints',
      () => ({ mode: 'live', url: 'http://127.0.0.1:9/' }),
    ],
    ['getWebhookEndpoint', 'client', 'GET', () => ofEndpoint()],
    ['rotateWebhookEndpointSecret', 'client', 'POST', () => ofEndpoint('/rotate-secret')],
    ['listWebhookEndpointDeliveries', 'client', 'GET', () => ofEndpoint('/deliveries?limit=5')],
    ['getWebhookEndpointDelivery', 'client', 'GET', () => ofEndpoint(`/deliveries/${own().event}`)],
    [
      'redeliverToWebhookEndpoint',
      'client',
      'POST',
      () => ofEndpoint(`/deliveries/${own().event}/redeliver`),
    ],
    ['updateWebhookEndpoint', 'client', 'PATCH', () => ofEndpoint(), () => ({ description: 'renamed' })],
    ['deleteWebhookEndpoint', 'client', 'DELETE', () => ofEndpoint()],
    ['listOwnApiKeys', 'client', 'GET', () => '/v1/account/api-keys'],
    ['listOwnUsers', 'client', 'GET', () => '/v1/account/users'],
    [
      'updateUser',
      'client',
      'PATCH',
      () => ofClient(`/users/${own().colleague}`),
      () => ({ status: 'disabled' }),
    ],
    ['resetSecondFactor', 'client', 'DELETE', () => ofClient(`/users/${own().colleague}/second-factor`)],
    ['removeUser', 'client', 'DELETE', () => ofClient(`/users/${own().colleague}`)],
    ['resendInvitation', 'client', 'POST', () => ofClient(`/users/${own().invited}/resend-invitation`)],
    ['listSessions', 'client', 'GET', () => '/v1/account/sessions'],
    ['endSession', 'client', 'DELETE', () => `/v1/account/sessions/${own().session}`],
    ['endOtherSessions', 'client', 'DELETE', () => '/v1/account/sessions'],
    ['getNotifications', 'client', 'GET', () => '/v1/account/notifications'],
    [
      'updateNotifications',
      'client',
      'PATCH',
      () => '/v1/account/notifications',
      () => ({ key_expiring: true }),
    ],
    ['getBranding', 'client', 'GET', () => '/v1/branding'],
    [
      'setBranding',
      'client',
      'PUT',
      () => '/v1/branding',
      () => ({ display_name: 'Toko Budi', color: '#0f766e', logo: null }),
    ],
    ['changePassword', 'client', 'POST', () => '/v1/account/password', samePassword],
    ['createApiKey', 'client', 'POST', () => ofClient('/api-keys'), () => ({ mode: 'test' })],
    ['updateApiKey', 'client', 'PATCH', () => ofClient(`/api-keys/${own().key}`), () => ({ scopes: [] })],
    [
      'rotateApiKey',
      'client',
      'POST',
      () => ofClient(`/api-keys/${own().key}/rotate`),
      () => ({ grace_minutes: 5 }),
    ],
    ['revokeApiKey', 'client', 'DELETE', () => ofClient(`/api-keys/${own().key}`)],
    ['reportPayments', 'client', 'GET', () => '/v1/reports/payments?group_by=day,status,tenant'],
    ['reportReconciliation', 'client', 'GET', () => '/v1/reports/reconciliation'],
    ['listAuditLog', 'client', 'GET', () => '/v1/audit-log?limit=5'],
    ['reportPayments', 'partner', 'GET', () => '/v1/reports/payments?group_by=tenant'],
    ['reportReconciliation', 'partner', 'GET', () => '/v1/reports/reconciliation'],
    [
      'eraseCustomer',
      'client',
      'POST',
      () => '/v1/account/erase-customer',
      () => ({ payment_id: own().pending }),
    ],
    [
      'eraseCustomer',
      'client',
      'POST',
      () => '/v1/account/erase-customer',
      () => ({ customer_phone: '081234567890' }),
    ],
    ['live.recent', 'client', 'GET', () => `/trpc/live.recent?input=${encodeURIComponent('{"ms":120000}')}`],
    ['listTenantPayments', 'partner', 'GET', () => ofClient('/payments?mode=test&limit=5&count=true')],
    ['getTenantPayment', 'partner', 'GET', () => ofClient(`/payments/${own().paid}`)],
    ['listTenantPaymentTimeline', 'partner', 'GET', () => ofClient(`/payments/${own().paid}/timeline`)],
    ['listTenantPaymentAttempts', 'partner', 'GET', () => ofClient(`/payments/${own().paid}/attempts`)],
    ['listTenantPaymentCallbacks', 'partner', 'GET', () => ofClient(`/payments/${own().paid}/callbacks`)],
    ['listTenantPaymentDeliveries', 'partner', 'GET', () => ofClient(`/payments/${own().paid}/deliveries`)],
    ['listTenantPaymentRefunds', 'partner', 'GET', () => ofClient(`/payments/${own().paid}/refunds`)],
    [
      'support.find',
      'partner',
      'GET',
      () =>
        `/trpc/support.find?input=${encodeURIComponent(JSON.stringify({ payment_code: own().paidCode }))}`,
    ],
    ['listTenants', 'partner', 'GET', () => '/v1/tenants?limit=5'],
    ['createTenant', 'partner', 'POST', () => '/v1/tenants', () => ({ name: 'Toko Sari' })],
    ['getTenant', 'partner', 'GET', () => ofClient()],
    ['updateTenant', 'partner', 'PATCH', () => ofClient(), () => ({ name: 'Toko Budi' })],
    ['listApiKeys', 'partner', 'GET', () => ofClient('/api-keys')],
    ['listUsers', 'partner', 'GET', () => ofClient('/users')],
    ['createUser', 'partner', 'POST', () => ofClient('/users'), newUser],
    ['getEntitlements', 'partner', 'GET', () => ofClient('/entitlements')],
    ['setEntitlements', 'partner', 'PUT', () => ofClient('/entitlements'), entitled],
    ['getRoutingRules', 'partner', 'GET', () => ofClient('/routing-rules')],
    ['previewRoute', 'partner', 'GET', () => ofClient(aRoute)],
    ['setRoutingRules', 'partner', 'PUT', () => ofClient('/routing-rules'), () => ({ items: [] })],
    ['createRefund', 'shop', 'POST', () => `/v1/payments/${own().paid}/refunds`, aRefund],
    ['listPaymentRefunds', 'shop', 'GET', () => `/v1/payments/${own().paid}/refunds`],
    ['listRefunds', 'shop', 'GET', () => '/v1/refunds?limit=5'],
    [
      'methods.channels',
      'client',
      'GET',
      () => `/trpc/methods.channels?input=${encodeURIComponent(JSON.stringify({ mode: 'test' }))}`,
    ],
    [
      'refunds.listDetails',
      'client',
      'GET',
      () => `/trpc/refunds.listDetails?input=${encodeURIComponent(JSON.stringify({ limit: 5 }))}`,
    ],
    ['getRefund', 'shop', 'GET', () => `/v1/refunds/${own().refund}`],
    ['getOwnFeeSchedule', 'shop', 'GET', () => '/v1/account/fee-schedule'],
    ['previewOwnFee', 'shop', 'GET', () => `/v1/account/fee-preview${aPayment}`],
    ['getOwnFeeStatement', 'shop', 'GET', () => '/v1/account/fee-statement?month=2026-11'],
    ['reportFees', 'client', 'GET', () => '/v1/reports/fees?group_by=day,tenant,channel'],
    ['reportFees', 'partner', 'GET', () => '/v1/reports/fees?group_by=tenant'],
    ['getFeeSchedule', 'partner', 'GET', () => ofClient('/fee-schedule')],
    [
      'fees.pricedTenants',
      'partner',
      'GET',
      () => `/trpc/fees.pricedTenants?input=${encodeURIComponent('{}')}`,
    ],
    [
      'fees.history',
      'partner',
      'GET',
      () =>
        `/trpc/fees.history?input=${encodeURIComponent(JSON.stringify({ tenant_id: demo.client.tenant_id }))}`,
    ],
    ['setFeeSchedule', 'partner', 'PUT', () => ofClient('/fee-schedule'), () => ({ rules: [] })],
    ['previewTenantFee', 'partner', 'GET', () => ofClient(`/fee-preview${aPayment}`)],
    ['getTenantFeeStatement', 'partner', 'GET', () => ofClient('/fee-statement?month=2026-11')],
  ]
}
