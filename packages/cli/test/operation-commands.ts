// For each operation in the API document, the arguments of a CLI command that calls it. The service responds
// to each command with 200, unless the entry lists another expected status.

export type Who = 'owner' | 'client' | 'user' | 'key'
export type Run = {
  who: Who
  args: string[]
  input?: string
  /** The HTTP status that the service must return for this command, if it is not 200. */
  status?: 400 | 404 | 409
}

/**
 * The IDs of the objects on which the tested commands act. Some of these objects were created by earlier
 * commands of the test.
 */
export type World = Record<
  | 'client'
  | 'tenant'
  | 'account'
  | 'payment'
  | 'endpoint'
  | 'paid'
  | 'challenged'
  | 'event'
  | 'callback'
  | 'key'
  | 'rotated'
  | 'user'
  | 'csv'
  | 'url',
  string
>

export const absent = '01990000-0000-7000-8000-000000000000'
const order = ['--rupiah', '100000', '--method', 'virtual_account', '--channel', 'BCA']
const merchant = (...args: string[]): Run => ({ who: 'client', args })
const owner = (...args: string[]): Run => ({ who: 'owner', args })
/**
 * Returns a command for a record that does not exist, so the service responds with 404. The test then checks
 * only that the command calls the right operation.
 */
const ofAbsent = (...args: string[]): Run => ({ ...owner(...args), status: 404 })

/**
 * The command for each operation. The order is important, because some commands need the results of earlier
 * ones.
 */
export const commands: Record<string, (world: World) => Run> = {
  login: () => owner('login'),
  getAccount: () => merchant('whoami'),
  listActiveMethods: () => merchant('methods'),
  createPayment: () => ({ who: 'key', args: ['payments', 'create', ...order] }),
  listPayments: () => merchant('payments', 'list'),
  getPayment: ({ payment }) => merchant('payments', 'get', payment),
  cancelPayment: ({ payment }) => merchant('payments', 'cancel', payment),
  listPaymentLedger: ({ paid }) => merchant('payments', 'ledger', paid),
  createRefund: ({ paid }) =>
    merchant(
      ...[
        'refunds',
        'create',
        paid,
        '--rupiah',
        '1000',
        '--bank',
        'BCA',
        '--account-number',
        '1',
        '--account-holder',
        'Budi',
      ],
      '--yes',
    ),
  listRefunds: () => merchant('refunds', 'list'),
  listPaymentRefunds: ({ paid }) => merchant('refunds', 'list', '--payment', paid),
  getRefund: () => ({ ...merchant('refunds', 'get', absent), status: 404 }),
  resolveRefund: () =>
    ofAbsent('refunds', 'resolve', absent, '--failed', '--reason', 'no such account', '--yes'),
  listPaymentTimeline: ({ paid }) => merchant('payments', 'timeline', paid),
  listPaymentAttempts: ({ paid }) => merchant('payments', 'attempts', paid),
  getBalance: () => merchant('ledger', 'balance'),
  listLedger: () => merchant('ledger', 'list'),
  // The service returns 404, because the seal (a hash of the ledger) is not created until minutes after
  // the first entry.
  getLedgerSeal: () => ({ ...merchant('ledger', 'seal', '--mode', 'test'), status: 404 }),
  reportPayments: () => merchant('reports', 'payments'),
  reportBooks: () => owner('reports', 'books'),
  reportReconciliation: () => merchant('reports', 'reconcile', '--source', 'books'),
  listOwnApiKeys: () => merchant('keys', 'list'),
  listOwnUsers: () => merchant('users', 'list'),
  setWebhook: ({ url }) => merchant('webhooks', 'set-url', url),
  getWebhook: () => merchant('webhooks', 'show'),
  rotateWebhookSecret: () => merchant('webhooks', 'rotate-secret'),
  createWebhookEndpoint: ({ url }) =>
    merchant('endpoints', 'create', url, '--mode', 'test', '--schedule', 'long'),
  listWebhookEndpoints: () => merchant('endpoints', 'list', '--mode', 'test'),
  getWebhookEndpoint: ({ endpoint }) => merchant('endpoints', 'get', endpoint),
  updateWebhookEndpoint: ({ endpoint }) => merchant('endpoints', 'update', endpoint, '--events', ''),
  rotateWebhookEndpointSecret: ({ endpoint }) => merchant('endpoints', 'rotate-secret', endpoint),
  sendTestWebhook: () => merchant('webhooks', 'test'),
  listWebhookDeliveries: () => merchant('webhooks', 'deliveries', '--mode', 'test', '--limit', '1'),
  getWebhookDelivery: ({ event }) => merchant('webhooks', 'deliveries', 'get', event),
  redeliverWebhook: ({ event }) => merchant('webhooks', 'redeliver', event),
  redeliverFailedWebhooks: () =>
    merchant('webhooks', 'redeliver', '--failed-since', new Date().toISOString()),
  listWebhookEndpointDeliveries: ({ endpoint }) => merchant('endpoints', 'deliveries', endpoint),
  getWebhookEndpointDelivery: ({ endpoint, event }) =>
    merchant('endpoints', 'deliveries', 'get', endpoint, event),
  redeliverToWebhookEndpoint: ({ endpoint }) => ({
    ...merchant('endpoints', 'redeliver', endpoint, absent),
    status: 404,
  }),
  deleteWebhookEndpoint: ({ endpoint }) => merchant('endpoints', 'delete', endpoint, '--yes'),
  listenForWebhooks: () => merchant('webhooks', 'listen', '--count', '0'),
  listAuditLog: () => owner('audit', 'list'),
  listRequests: () => merchant('logs', 'list'),
  getRequest: () => ({ ...merchant('logs', 'get', absent), status: 404 }),
  eraseCustomer: () => merchant('customers', 'erase', '--email', 'nobody@example.com', '--yes'),
  listTenantPayments: ({ client }) => owner('support', 'payments', client),
  getTenantPayment: ({ client, paid }) => owner('support', 'payment', client, paid),
  listTenantPaymentTimeline: ({ client, paid }) => owner('support', 'timeline', client, paid),
  listTenantPaymentAttempts: ({ client, paid }) => owner('support', 'attempts', client, paid),
  listTenantPaymentCallbacks: ({ client, paid }) => owner('support', 'callbacks', client, paid),
  listTenantPaymentDeliveries: ({ client, paid }) => owner('support', 'deliveries', client, paid),
  listTenantPaymentRefunds: ({ client, paid }) => owner('support', 'refunds', client, paid),
  listTenants: () => owner('tenants', 'list'),
  createTenant: () => owner('tenants', 'create', '--name', 'Toko Baru'),
  getTenant: ({ tenant }) => owner('tenants', 'get', tenant),
  updateTenant: ({ tenant }) => owner('tenants', 'update', tenant, '--name', 'Toko Lama', '--tier', 'growth'),
  listTierLimits: () => owner('limits', 'list'),
  updateTierLimits: () => owner('limits', 'set', '--tier', 'growth', '--burst-seconds', '3'),
  resetTierLimits: () => owner('limits', 'reset', '--tier', 'growth'),
  getTenantLimits: ({ tenant }) => owner('limits', 'list', '--tenant', tenant),
  updateTenantLimits: ({ tenant }) => owner('limits', 'set', '--tenant', tenant, '--burst-seconds', '3'),
  resetTenantLimits: ({ tenant }) => owner('limits', 'reset', '--tenant', tenant),
  setFeeSchedule: ({ tenant }) => ({
    ...owner('fees', 'set', tenant, '-'),
    input: '{ "rules": [{ "fixed": 100000 }] }',
  }),
  getFeeSchedule: ({ tenant }) => owner('fees', 'get', '--tenant', tenant),
  previewTenantFee: ({ tenant }) =>
    owner('fees', 'preview', '--tenant', tenant, '--method', 'qris', '--rupiah', '100000'),
  reportFees: () => owner('fees', 'report', '--by', 'day,channel'),
  getOwnFeeStatement: () => merchant('fees', 'statement', '2026-11'),
  getTenantFeeStatement: ({ tenant }) => owner('fees', 'statement', '2026-11', '--tenant', tenant),
  getOwnFeeSchedule: () => merchant('fees', 'get'),
  previewOwnFee: () => merchant('fees', 'preview', '--method', 'qris', '--rupiah', '100000'),
  createApiKey: ({ tenant }) => owner('keys', 'create', '--mode', 'test', '--tenant', tenant),
  listApiKeys: ({ tenant }) => owner('keys', 'list', '--tenant', tenant),
  updateApiKey: ({ tenant, key }) =>
    owner(
      'keys',
      'update',
      key,
      '--scopes',
      'payments:read',
      '--allowed-ips',
      '127.0.0.1',
      '--tenant',
      tenant,
    ),
  rotateApiKey: ({ tenant, key }) => owner('keys', 'rotate', key, '--tenant', tenant, '--yes'),
  revokeApiKey: ({ tenant, rotated }) => owner('keys', 'revoke', rotated, '--tenant', tenant, '--yes'),
  createUser: ({ tenant }) => ({
    ...owner('users', 'create', '--tenant', tenant, '--email', 'baru@example.com'),
    input: 'correct horse battery',
  }),
  updateUser: ({ tenant, user }) =>
    owner('users', 'update', user, '--permissions', 'admin,finance', '--tenant', tenant),
  // The service returns 409, because this user already has a password.
  resendInvitation: ({ tenant, user }) => ({
    ...owner('users', 'resend-invitation', user, '--tenant', tenant),
    status: 409,
  }),
  listUsers: ({ tenant }) => owner('users', 'list', '--tenant', tenant),
  changePassword: () => ({
    who: 'user',
    args: ['password', 'change'],
    input: 'correct horse battery\ncorrect horse battery staple\n',
  }),
  requestPasswordReset: ({ tenant }) =>
    owner('password', 'request-reset', '--tenant', tenant, '--email', 'nobody@example.com'),
  confirmPasswordReset: () => ({
    ...owner('password', 'reset'),
    input: 'gp_reset_unknown\ncorrect horse battery staple\n',
    status: 400,
  }),
  acceptInvitation: () => ({
    ...owner('password', 'accept-invitation'),
    input: 'gp_invite_unknown\ncorrect horse battery staple\n',
    status: 400,
  }),
  // The service returns 409, because this user is the tenant's only admin.
  removeUser: ({ tenant, user }) => ({
    ...owner('users', 'remove', user, '--tenant', tenant, '--yes'),
    status: 409,
  }),
  resetSecondFactor: ({ tenant, user }) =>
    owner('users', 'reset-second-factor', user, '--tenant', tenant, '--yes'),
  getSecondFactor: () => merchant('second-factor', 'show'),
  startTotp: () => merchant('second-factor', 'enable'),
  confirmTotp: () => ({ ...merchant('second-factor', 'confirm-app'), input: '000000', status: 400 }),
  // The service rejects several of the following commands, because the user has no second factor.
  removeTotp: () => ({ ...merchant('second-factor', 'disable', '--yes'), status: 409 }),
  renewRecoveryCodes: () => ({ ...merchant('second-factor', 'recovery-codes'), status: 409 }),
  confirmSecondFactor: () => ({ ...merchant('second-factor', 'confirm'), input: '000000', status: 400 }),
  removePasskey: () => ({ ...merchant('second-factor', 'remove-passkey', absent, '--yes'), status: 404 }),
  setSecurity: () => merchant('second-factor', 'require', 'off'),
  getNotifications: () => merchant('notifications', 'list'),
  updateNotifications: () => merchant('notifications', 'set', 'key_expiring', 'off'),
  getBranding: () => merchant('branding', 'get'),
  setBranding: () => merchant('branding', 'set', '--display-name', 'Toko Budi', '--color', '#0f766e'),
  listSessions: () => merchant('sessions', 'list'),
  endSession: () => ({ ...merchant('sessions', 'end', absent), status: 404 }),
  endOtherSessions: () => merchant('sessions', 'end-others', '--yes'),
  listProviders: () => owner('providers', 'list'),
  listProviderHealth: () => owner('providers', 'health'),
  listProviderAccounts: () => owner('providers', 'accounts', 'midtrans'),
  createProviderAccount: () => ({
    ...owner('providers', 'add-account', 'midtrans', '--mode', 'test', '--name', 'Second'),
    input: '{"server_key":"SB-Mid-server-second"}',
  }),
  updateProviderAccount: ({ account }) =>
    owner('providers', 'update-account', 'midtrans', account, '--name', 'Midtrans'),
  setEntitlements: ({ tenant, account }) => owner('entitlements', 'set', tenant, account),
  getEntitlements: ({ tenant }) => owner('entitlements', 'get', tenant),
  setRoutingRules: ({ tenant, account }) => ({
    ...owner('routes', 'set', tenant),
    input: JSON.stringify([{ provider_account_id: account }]),
  }),
  getRoutingRules: ({ tenant }) => owner('routes', 'get', tenant),
  previewRoute: ({ tenant }) => owner('routes', 'preview', tenant, '--mode', 'test', ...order),
  uploadSettlement: ({ account, csv }) =>
    owner('settlements', 'upload', 'midtrans', account, '2026-11-01', csv),
  listSettlementLines: ({ account }) => owner('settlements', 'lines', 'midtrans', account, '2026-11-01'),
  listSettlements: ({ account }) => owner('settlements', 'list', 'midtrans', account),
  listProviderCallbacks: () => owner('callbacks', 'list', '--mode', 'test', '--status', 'applied'),
  listRejectedCallbacks: () => owner('callbacks', 'list', '--rejected'),
  reprocessProviderCallback: ({ callback }) => owner('callbacks', 'reprocess', callback),
  listChallengedPayments: () => owner('payments', 'challenged'),
  resolvePayment: ({ challenged }) =>
    owner('payments', 'resolve', challenged, '--reject', '--reason', 'sent back', '--yes'),
  listUnexpectedMoney: () => owner('unexpected-money', 'list'),
  getUnexpectedMoney: () => ofAbsent('unexpected-money', 'show', absent),
  acceptUnexpectedMoney: () => ofAbsent('unexpected-money', 'accept', absent, '--reason', 'paid'),
  assignUnexpectedMoney: ({ paid }) =>
    ofAbsent('unexpected-money', 'assign', absent, '--payment', paid, '--reason', 'paid', '--yes'),
  refundUnexpectedMoney: () => ofAbsent('unexpected-money', 'refund', absent, '--reason', 'paid', '--yes'),
  dismissUnexpectedMoney: () => ofAbsent('unexpected-money', 'dismiss', absent, '--reason', 'paid', '--yes'),
  listUnknownPayments: () => owner('unknown-payments', 'list'),
  inquireUnknownPayment: () => ofAbsent('unknown-payments', 'inquire', absent),
  resolveUnknownPayment: () =>
    ofAbsent('unknown-payments', 'resolve', absent, '--not-created', '--reason', 'none', '--yes'),
  getLedgerVerification: () => owner('ledger', 'verification'),
  listReconciliationRuns: () => owner('reconciliation', 'runs'),
  listReconciliationDifferences: () => owner('reconciliation', 'differences'),
  closeReconciliationDifference: () => ofAbsent('reconciliation', 'close', absent, '--reason', 'explained'),
  refresh: () => merchant('whoami'),
  logout: () => merchant('logout'),
}
