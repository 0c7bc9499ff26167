// Maps each operation to its call in @gapura/sdk. The SDK samples are generated from this table. A test compiles the
// samples, and thereby detects a call or argument that was renamed.

import type { Example } from './example.ts'

export type SdkCall = {
  /** The method to call on the SDK's client `gapura`, such as `payments.create`. */
  call: string
  /**
   * The name that the code sample gives to the variable with the call's result. If the call returns a list,
   * the variable contains one of its items.
   */
  result: string
  /** Whether the SDK call returns a list. The caller iterates over such a list. */
  isList: boolean
  argumentsOf: (example: Example) => unknown[]
}

/** A text that appears in a code sample as code, not as a quoted string. */
export class Code {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const call = (name: string, result: string, argumentsOf: SdkCall['argumentsOf'] = () => []): SdkCall => ({
  call: name,
  result,
  isList: false,
  argumentsOf,
})
const list = (name: string, item: string, argumentsOf: SdkCall['argumentsOf'] = () => []): SdkCall => ({
  ...call(name, item, argumentsOf),
  isList: true,
})

const bodyOnly = ({ body }: Example) => [body]
const queryOnly = ({ query }: Example) => (Object.keys(query).length > 0 ? [query] : [])
const pathOnly = ({ path }: Example) => Object.values(path)
const pathAndBody = ({ path, body }: Example) => [...Object.values(path), body]
const pathAndQuery = ({ path, query }: Example) => [...Object.values(path), query]
const field = (name: string) => (example: Example) => [
  ...Object.values(example.path),
  (example.body as Record<string, unknown>)[name],
]

export const sdkCalls: Record<string, SdkCall> = {
  createPayment: call('payments.create', 'payment', ({ body, headers }) => [
    body,
    { idempotencyKey: headers['X-Idempotency-Key'] },
  ]),
  listPayments: list('payments.list', 'payment', queryOnly),
  getPayment: call('payments.get', 'payment', pathOnly),
  cancelPayment: call('payments.cancel', 'payment', pathOnly),
  listPaymentLedger: call('payments.listLedger', 'entries', pathOnly),
  listPaymentTimeline: call('payments.listTimeline', 'timeline', pathOnly),
  listPaymentAttempts: call('payments.listAttempts', 'attempts', pathOnly),
  createRefund: call('refunds.create', 'refund', ({ path, body, headers }) => [
    ...Object.values(path),
    body,
    { idempotencyKey: headers['X-Idempotency-Key'] },
  ]),
  listPaymentRefunds: call('refunds.listOfPayment', 'refunds', pathOnly),
  listRefunds: list('refunds.list', 'refund', queryOnly),
  getRefund: call('refunds.get', 'refund', pathOnly),
  resolveRefund: call('refunds.resolve', 'refund', pathAndBody),
  resolvePayment: call('payments.resolve', 'payment', pathAndBody),
  listActiveMethods: call('listActiveMethods', 'methods'),

  getWebhook: call('webhookEndpoint.get', 'endpoint'),
  setWebhook: call('webhookEndpoint.setUrl', 'endpoint', field('callback_url')),
  rotateWebhookSecret: call('webhookEndpoint.rotateSecret', 'endpoint', bodyOnly),
  sendTestWebhook: call('webhookEndpoint.sendTest', 'delivery'),
  listWebhookDeliveries: list('webhookDeliveries.list', 'delivery', queryOnly),
  redeliverFailedWebhooks: call('webhookDeliveries.redeliverFailed', 'result', bodyOnly),
  getWebhookDelivery: call('webhookDeliveries.get', 'delivery', pathOnly),
  redeliverWebhook: call('webhookDeliveries.redeliver', 'delivery', pathOnly),
  listenForWebhooks: call('webhookEndpoint.listen', 'heard', queryOnly),
  listWebhookEndpoints: list('webhookEndpoints.list', 'endpoint', queryOnly),
  createWebhookEndpoint: call('webhookEndpoints.create', 'endpoint', bodyOnly),
  getWebhookEndpoint: call('webhookEndpoints.get', 'endpoint', pathOnly),
  updateWebhookEndpoint: call('webhookEndpoints.update', 'endpoint', pathAndBody),
  deleteWebhookEndpoint: call('webhookEndpoints.delete', 'endpoint', pathOnly),
  rotateWebhookEndpointSecret: call('webhookEndpoints.rotateSecret', 'endpoint', pathAndBody),
  listWebhookEndpointDeliveries: list('webhookEndpoints.listDeliveries', 'delivery', pathOnly),
  getWebhookEndpointDelivery: call('webhookEndpoints.getDelivery', 'delivery', pathOnly),
  redeliverToWebhookEndpoint: call('webhookEndpoints.redeliver', 'delivery', pathOnly),

  getAccount: call('account.get', 'account'),
  getBalance: call('account.getBalance', 'balance', queryOnly),
  listLedger: list('ledger.list', 'entry', queryOnly),
  getLedgerSeal: call('ledger.getSeal', 'seal', queryOnly),
  listOwnApiKeys: list('account.listApiKeys', 'key', queryOnly),
  listOwnUsers: list('account.listUsers', 'user', queryOnly),
  changePassword: call('account.changePassword', 'result', ({ body }) => {
    const { current_password: currentPassword, new_password: newPassword } = body as Record<string, unknown>
    return [{ currentPassword, newPassword }]
  }),

  listSessions: list('account.listSessions', 'session', queryOnly),
  endSession: call('account.endSession', 'result', pathOnly),
  endOtherSessions: call('account.endOtherSessions', 'result'),
  getNotifications: call('account.getNotifications', 'notifications'),
  updateNotifications: call('account.updateNotifications', 'notifications', bodyOnly),

  getBranding: call('branding.get', 'branding'),
  setBranding: call('branding.set', 'branding', bodyOnly),

  listRequests: list('requests.list', 'request', queryOnly),
  getRequest: call('requests.get', 'request', pathOnly),

  login: call('auth.login', 'session', bodyOnly),
  completeLogin: call('auth.completeLogin', 'session', bodyOnly),
  refresh: call('auth.refresh', 'session', field('refresh_token')),
  logout: call('auth.logout', 'result', field('refresh_token')),
  requestPasswordReset: call('auth.requestPasswordReset', 'result', bodyOnly),
  confirmPasswordReset: call('auth.confirmPasswordReset', 'result', ({ body }) => {
    const { token, new_password: newPassword } = body as Record<string, unknown>
    return [{ token, newPassword }]
  }),

  acceptInvitation: call('auth.acceptInvitation', 'result', ({ body }) => {
    const { token, new_password: newPassword } = body as Record<string, unknown>
    return [{ token, newPassword }]
  }),

  reportPayments: call('reports.payments', 'report', queryOnly),
  reportBooks: call('reports.books', 'totals', queryOnly),
  reportReconciliation: call('reports.reconciliation', 'report', queryOnly),
  listAuditLog: list('audit.list', 'entry', queryOnly),

  listTenants: list('tenants.list', 'tenant', queryOnly),
  eraseCustomer: call('account.eraseCustomer', 'result', bodyOnly),
  listTenantPayments: list('tenantPayments.list', 'payment', pathAndQuery),
  getTenantPayment: call('tenantPayments.get', 'payment', pathOnly),
  listTenantPaymentTimeline: call('tenantPayments.listTimeline', 'timeline', pathOnly),
  listTenantPaymentAttempts: call('tenantPayments.listAttempts', 'attempts', pathOnly),
  listTenantPaymentCallbacks: call('tenantPayments.listCallbacks', 'callbacks', pathOnly),
  listTenantPaymentDeliveries: list('tenantPayments.listDeliveries', 'delivery', pathOnly),
  listTenantPaymentRefunds: call('tenantPayments.listRefunds', 'refunds', pathOnly),
  createTenant: call('tenants.create', 'tenant', bodyOnly),
  getTenant: call('tenants.get', 'tenant', pathOnly),
  updateTenant: call('tenants.update', 'tenant', pathAndBody),
  listTierLimits: call('limits.listTiers', 'limits'),
  updateTierLimits: call('limits.updateTier', 'limits', pathAndBody),
  resetTierLimits: call('limits.resetTier', 'limits', pathOnly),
  getTenantLimits: call('limits.getTenant', 'limits', pathOnly),
  updateTenantLimits: call('limits.updateTenant', 'limits', pathAndBody),
  resetTenantLimits: call('limits.resetTenant', 'limits', pathOnly),
  getOwnFeeSchedule: call('fees.get', 'schedule'),
  previewOwnFee: call('fees.preview', 'fee', queryOnly),
  getFeeSchedule: call('fees.getTenant', 'schedule', pathOnly),
  reportFees: call('fees.report', 'report', queryOnly),
  getOwnFeeStatement: call('fees.statement', 'statement', queryOnly),
  getTenantFeeStatement: call('fees.tenantStatement', 'statement', pathAndQuery),
  setFeeSchedule: call('fees.setTenant', 'schedule', pathAndBody),
  previewTenantFee: call('fees.previewTenant', 'fee', pathAndQuery),
  listApiKeys: list('apiKeys.list', 'key', pathOnly),
  createApiKey: call('apiKeys.create', 'key', pathAndBody),
  updateApiKey: call('apiKeys.update', 'key', pathAndBody),
  revokeApiKey: call('apiKeys.revoke', 'key', pathOnly),
  rotateApiKey: call('apiKeys.rotate', 'key', pathAndBody),
  listUsers: list('users.list', 'user', pathOnly),
  createUser: call('users.create', 'user', pathAndBody),
  updateUser: call('users.update', 'user', pathAndBody),
  removeUser: call('users.remove', 'result', pathOnly),
  resetSecondFactor: call('users.resetSecondFactor', 'result', pathOnly),
  getSecondFactor: call('secondFactor.get', 'factor'),
  startTotp: call('secondFactor.startTotp', 'secret'),
  confirmTotp: call('secondFactor.confirmTotp', 'enrolled', ({ body }) => {
    const { code, current_password: currentPassword } = body as Record<string, unknown>
    return [{ code, currentPassword }]
  }),
  removeTotp: call('secondFactor.removeTotp', 'result'),
  renewRecoveryCodes: call('secondFactor.renewRecoveryCodes', 'codes'),
  confirmSecondFactor: call('secondFactor.confirm', 'result', field('code')),
  removePasskey: call('secondFactor.removePasskey', 'result', pathOnly),
  setSecurity: call('secondFactor.setRequired', 'setting', field('second_factor_required')),
  resendInvitation: call('users.resendInvitation', 'user', pathOnly),

  getEntitlements: call('entitlements.get', 'entitlements', pathOnly),
  setEntitlements: call('entitlements.set', 'entitlements', field('items')),
  getRoutingRules: call('routingRules.get', 'rules', pathOnly),
  setRoutingRules: call('routingRules.set', 'rules', field('items')),
  previewRoute: call('routingRules.preview', 'preview', pathAndQuery),

  listProviders: call('providers.list', 'providers'),
  listProviderHealth: call('providers.listHealth', 'health'),
  listProviderAccounts: list('providers.listAccounts', 'account', pathOnly),
  createProviderAccount: call('providers.createAccount', 'account', pathAndBody),
  updateProviderAccount: call('providers.updateAccount', 'account', pathAndBody),
  uploadSettlement: call('settlements.upload', 'settlement', ({ path, body }) => [
    { providerCode: path.provider_code, accountId: path.account_id, date: path.date },
    new Code(`new Blob([${JSON.stringify(body)}])`),
  ]),
  listSettlementLines: list('settlements.listLines', 'line', ({ path }) => [
    { providerCode: path.provider_code, accountId: path.account_id, date: path.date },
  ]),
  listSettlements: list('settlements.list', 'settlement', pathOnly),

  listProviderCallbacks: list('providerCallbacks.list', 'callback', queryOnly),
  listRejectedCallbacks: list('providerCallbacks.listRejected', 'callback', queryOnly),
  reprocessProviderCallback: call('providerCallbacks.reprocess', 'result', ({ path, body }) => [
    ...Object.values(path),
    { apply: !(body as { dry_run?: boolean }).dry_run },
  ]),
  listChallengedPayments: list('challengedPayments.list', 'payment', queryOnly),
  listUnexpectedMoney: list('unexpectedMoney.list', 'money', queryOnly),
  getUnexpectedMoney: call('unexpectedMoney.get', 'money', pathOnly),
  acceptUnexpectedMoney: call('unexpectedMoney.accept', 'money', pathAndBody),
  assignUnexpectedMoney: call('unexpectedMoney.assign', 'money', pathAndBody),
  refundUnexpectedMoney: call('unexpectedMoney.refund', 'money', pathAndBody),
  dismissUnexpectedMoney: call('unexpectedMoney.dismiss', 'money', pathAndBody),
  listUnknownPayments: list('unknownPayments.list', 'payment', queryOnly),
  inquireUnknownPayment: call('unknownPayments.inquire', 'outcome', pathOnly),
  resolveUnknownPayment: call('unknownPayments.resolve', 'outcome', pathAndBody),
  getLedgerVerification: call('ledger.getVerification', 'verification'),
  listReconciliationRuns: list('reconciliation.listRuns', 'run', queryOnly),
  listReconciliationDifferences: list('reconciliation.listDifferences', 'difference', queryOnly),
  closeReconciliationDifference: call('reconciliation.closeDifference', 'difference', pathAndBody),
}
