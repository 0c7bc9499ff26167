// Tests that test data and live data never mix. The tables below have an entry for each operation. The entry lists the
// modes that the operation covers, for each credential and each value of `mode`. If the mode does not matter, the entry
// contains the reason.

import { beforeAll, describe, expect, test } from 'vitest'
import { insertRejectedCallback } from '../../src/callbacks/callback.sql.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { insertUnexpectedMoney } from '../../src/payments/record/unexpected-money.sql.ts'
import { newRecord } from '../../src/payments/record/unexpected-money.ts'
import { dayOf } from '../../src/values/day.ts'
import { newId } from '../../src/values/id.ts'
import { type Mode, modes } from '../../src/values/mode.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { keptDifference } from '../support/difference.ts'
import { stateNow } from '../support/ledger.ts'
import { insertPendingPayment } from '../support/make.ts'
import { callsAs } from '../support/management-api.ts'
import { type Answer, http, logIn, until } from '../support/merchant.ts'
import { trpcOnly } from '../support/trpc-only.ts'
import { newEndpoint } from './endpoint-calls.ts'

type Item = { mode?: Mode }
const ofItems = ({ data }: Answer): Mode[] => data.items.map((item: Item) => item.mode)
const ofData = ({ data }: Answer): Mode[] => [data.mode]

/**
 * Operations that return data from live mode, test mode or both. For each operation, `modesOf` returns the modes in a
 * response.
 */
const covered: Record<string, { path: string; modesOf: (answer: Answer) => Mode[] }> = {
  listPayments: { path: '/v1/payments', modesOf: ofItems },
  listRefunds: { path: '/v1/refunds', modesOf: ofItems },
  listLedger: { path: '/v1/account/ledger', modesOf: ofItems },
  listWebhookDeliveries: { path: '/v1/webhook-deliveries', modesOf: ofItems },
  listWebhookEndpoints: { path: '/v1/webhook-endpoints', modesOf: ofItems },
  listRequests: { path: '/v1/account/requests', modesOf: ofItems },
  listProviderCallbacks: { path: '/v1/provider-callbacks', modesOf: ofItems },
  listRejectedCallbacks: { path: '/v1/provider-callbacks/rejected', modesOf: ofItems },
  listTenantPayments: { path: '/v1/tenants/{tenant_id}/payments', modesOf: ofItems },
  listChallengedPayments: { path: '/v1/challenged-payments', modesOf: ofItems },
  listUnknownPayments: { path: '/v1/unknown-payments', modesOf: ofItems },
  listUnexpectedMoney: { path: '/v1/unexpected-money', modesOf: ofItems },
  listReconciliationRuns: { path: '/v1/reconciliation-runs', modesOf: ofItems },
  listReconciliationDifferences: { path: '/v1/reconciliation-differences', modesOf: ofItems },
  reportPayments: { path: '/v1/reports/payments?group_by=mode', modesOf: ofItems },
  reportFees: { path: '/v1/reports/fees?group_by=mode', modesOf: ofItems },
  reportReconciliation: {
    path: '/v1/reports/reconciliation?source=books',
    modesOf: ({ data }) => data.by_mode.map(({ mode }: Item) => mode),
  },
}

/** Operations on objects that exist once per mode, such as a balance. These operations reject `mode=all`. */
const single: typeof covered = {
  getOwnFeeStatement: {
    path: `/v1/account/fee-statement?month=${dayOf(new Date()).slice(0, 7)}`,
    modesOf: ofData,
  },
  reportBooks: { path: '/v1/reports/books', modesOf: ofData },
  getBalance: { path: '/v1/account/balance', modesOf: ofData },
  getLedgerSeal: { path: '/v1/account/ledger/seal', modesOf: ofData },
}

/**
 * Operations that act on all items in a list and accept the same `mode` as the list. webhook-management.test.ts tests
 * in which modes they change items.
 */
const actions = ['redeliverFailedWebhooks']

/**
 * fee-reports.test.ts tests this operation, so it is not called here. Its `mode` parameter is the same as
 * that of `getOwnFeeStatement`.
 */
const ofTenant = ['getTenantFeeStatement']

/**
 * Only the dashboard calls the procedure `refunds.listDetails`. This test leaves it out, because the
 * procedure uses the same function as `listRefunds`, which this test calls.
 */
const ofDashboard = ['refunds.listDetails']

/**
 * Only the dashboard calls this procedure. channels.test.ts already tests that it returns only channels in
 * the mode that its required parameter `mode` selects.
 */
const ofChannels = ['methods.channels']

/** Operations on a single object, such as a payment or a callback. Each object belongs to only one mode. */
const onOne = [
  ...['createRefund', 'listPaymentRefunds', 'getRefund', 'resolveRefund'],
  ...['createPayment', 'getPayment', 'cancelPayment', 'listPaymentLedger', 'listPaymentTimeline'],
  ...[
    'listPaymentAttempts',
    'payments.standing',
    'resolvePayment',
    'getWebhookDelivery',
    'redeliverWebhook',
    'listWebhookEndpointDeliveries',
    'getWebhookEndpointDelivery',
    'redeliverToWebhookEndpoint',
    'getRequest',
  ],
  ...['getTenantPayment', 'listTenantPaymentTimeline', 'listTenantPaymentAttempts'],
  ...['listTenantPaymentCallbacks', 'listTenantPaymentDeliveries', 'listTenantPaymentRefunds'],
  ...['sendTestWebhook', 'reprocessProviderCallback', 'getUnexpectedMoney', 'acceptUnexpectedMoney'],
  ...['assignUnexpectedMoney', 'refundUnexpectedMoney', 'dismissUnexpectedMoney', 'inquireUnknownPayment'],
  ...['resolveUnknownPayment', 'closeReconciliationDifference'],
  // These operations need no mode, because a settlement belongs to a provider account, and each provider
  // account has one mode.
  ...['uploadSettlement', 'listSettlements', 'listSettlementLines'],
]

/** Operations without a `mode` parameter. Each entry explains which data the operation covers. */
const constant: Record<string, string> = {
  listenForWebhooks: 'only events in test mode',
  getLedgerVerification: 'verifies the whole ledger; each difference names its mode, and no money is summed',
  listActiveMethods:
    "an API key sees the channels of its mode; the API's specification gives it no parameter",
}

/** Operations whose responses contain neither payments nor amounts. */
const withoutPayments = [
  ...['login', 'refresh', 'logout', 'requestPasswordReset', 'confirmPasswordReset', 'changePassword'],
  ...['session.open', 'session.renew', 'session.close', 'keys.createForSession', 'listAuditLog'],
  ...['getWebhook', 'setWebhook', 'rotateWebhookSecret', 'getAccount'],
  ...['createWebhookEndpoint', 'getWebhookEndpoint', 'updateWebhookEndpoint', 'deleteWebhookEndpoint'],
  'rotateWebhookEndpointSecret',
  ...['listOwnApiKeys', 'listOwnUsers', 'listApiKeys', 'createApiKey', 'revokeApiKey', 'rotateApiKey'],
  ...['listUsers', 'createUser', 'listTenants', 'createTenant', 'getTenant', 'updateTenant'],
  ...['completeLogin', 'acceptInvitation', 'session.complete', 'session.passkeyOptions'],
  ...['session.completeWithPasskey', 'session.requestPasswordReset'],
  ...['getNotifications', 'updateNotifications', 'getBranding', 'setBranding'],
  ...['listSessions', 'endSession', 'endOtherSessions', 'getSecondFactor', 'startTotp', 'confirmTotp'],
  ...['removeTotp', 'renewRecoveryCodes', 'confirmSecondFactor', 'removePasskey', 'setSecurity'],
  ...['secondFactor.startPasskey', 'secondFactor.finishPasskey', 'secondFactor.passkeyOptions'],
  ...['secondFactor.confirmPasskey', 'updateApiKey', 'updateUser', 'removeUser', 'resendInvitation'],
  'resetSecondFactor',
  ...['listTierLimits', 'updateTierLimits', 'resetTierLimits'],
  ...['fees.pricedTenants', 'fees.history'],
  ...['getOwnFeeSchedule', 'previewOwnFee', 'getFeeSchedule', 'setFeeSchedule', 'previewTenantFee'],
  ...['getTenantLimits', 'updateTenantLimits', 'resetTenantLimits'],
  ...['getEntitlements', 'setEntitlements', 'getRoutingRules', 'setRoutingRules', 'previewRoute'],
  ...['listProviders', 'listProviderHealth', 'listProviderAccounts', 'createProviderAccount'],
  ...['updateProviderAccount', 'eraseCustomer', 'support.find'],
  'live.recent',
]

test("every API operation has an entry in this test's tables", () => {
  const rows = [
    ...[...Object.keys(covered), ...Object.keys(single), ...Object.keys(constant)],
    ...[...actions, ...ofTenant, ...ofDashboard, ...ofChannels, ...onOne, ...withoutPayments],
  ]
  const known = [...operations(), ...trpcOnly()].map(({ operationId }) => operationId)
  expect(rows.toSorted()).toEqual(known.toSorted())
})

let { app, demo }: TestApp = {} as TestApp
let client: string
let owner: string
const keyOf = (mode: Mode) => `ApiKey ${demo.client[`${mode}_key`]}`

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  ;[client, owner] = await Promise.all([logIn(demo, demo.client), logIn(demo, demo.owner)])
  for (const [index, mode] of modes.entries()) await makeData(mode, index + 1)
  for (const mode of modes) await logRequest(mode)
  for (const mode of modes) await newEndpoint(callsAs(demo, client), { mode })
})

/** Sends a request and waits until it appears in the request log, which is written in the background. */
async function logRequest(mode: Mode): Promise<void> {
  await ask('/v1/account/balance', keyOf(mode))
  await until('the request is logged', async () => {
    const { items } = (await ask('/v1/account/requests', keyOf(mode))).data
    return items.length > 0
  })
}

/** Creates data in one mode, so that each list and report has at least one item. */
async function makeData(mode: Mode, count: number): Promise<void> {
  const { db } = app
  const account = demo.provider_accounts.find(each => each.provider === 'midtrans' && each.mode === mode)
  const providerAccountId = account?.id ?? ''
  const tenantId = demo.client.tenant_id
  const now = new Date()
  const made = { tenantId, providerAccountId, mode, createdAt: now, updatedAt: now }
  const formula = { percent_bps: 0, fixed: 1_000, min: null, max: null, tax_bps: 0 }
  const feeTerms = { operator: { version: 1, refund_fees: false, ...formula }, partner: null }
  const pending = () => insertPendingPayment(db, { ...made, feeTerms })
  for (let n = 0; n < count; n++) {
    const { id: paymentId, paymentCode } = await pending()
    const event = { type: 'paid', amountPaid: 10_000_000n, paidAt: now, reference: paymentCode } as const
    await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
    const refund = { amount: 100, bank_account: { bank: 'BCA', number: '1', holder_name: 'Budi' } }
    const { status } = await http('POST', `${demo.base_url}/v1/payments/${paymentId}/refunds`, {
      auth: keyOf(mode),
      body: refund,
      headers: { 'x-idempotency-key': newId() },
    })
    expect(status).toBe(200)
    await keptDifference(db, {
      ...{ tenant_id: tenantId, payment_id: paymentId, payment_code: paymentCode },
      provider_account_id: providerAccountId,
    })
    await db.raw('update reconciliation_differences set mode = ? where payment_id = ?', [mode, paymentId])
  }
  await db.raw(`update payments set status = 'challenged' where id = ?`, [(await pending()).id])
  await db.raw(`update payments set status = 'unknown', next_check_at = null where id = ?`, [
    (await pending()).id,
  ])
  const sent = { providerAccountId, path: '/v1/callbacks', headers: {}, body: Buffer.from('{}') }
  await insertRejectedCallback(db, { ...sent, reason: 'the signature is wrong' })
  await db.raw(
    `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status)
     values (?, ?, 'midtrans', '{}', 'x', 'ignored')`,
    [newId(), providerAccountId],
  )
  const money = { kind: 'unknown_reference', provider: 'midtrans', receipt: '', amount: 1n } as const
  const record = { ...money, reference: newId(), credited: false, paidAt: now, providerAccountId, mode }
  await insertUnexpectedMoney(db, [newRecord(record, now)])
  await db.raw(
    `insert into reconciliation_runs (day, mode, id, started_at) values ('2026-11-20', ?, ?, now())
     on conflict do nothing`,
    [mode, newId()],
  )
  await stateNow(app, tenantId, mode)
}

const ask = (path: string, auth: string, mode?: string) =>
  http(
    'GET',
    `${demo.base_url}${path.replace('{tenant_id}', demo.client.tenant_id)}${mode ? `${path.includes('?') ? '&' : '?'}mode=${mode}` : ''}`,
    {
      auth,
    },
  )

const takesKey = (operationId: string): boolean =>
  JSON.stringify(operations().find(each => each.operationId === operationId)?.security).includes('ApiKeyAuth')
const isOwnersOnly = (operationId: string): boolean =>
  /TenantPayments|Books|Callback|Challenged|Unknown|Unexpected|Runs|Differences/.test(operationId)

describe.each(Object.entries({ ...covered, ...single }))('%s', (operationId, { path, modesOf }) => {
  const user = () => (isOwnersOnly(operationId) ? owner : client)
  const shown = async (auth: string, mode?: string) => {
    const answer = await ask(path, auth, mode)
    expect([answer.status, answer.text]).toEqual([200, answer.text])
    return [...new Set(modesOf(answer))].sort()
  }

  test('the operation returns live data to a user unless the request specifies another mode', async () => {
    expect(await shown(user())).toEqual(['live'])
    expect(await shown(user(), 'live')).toEqual(['live'])
    expect(await shown(user(), 'test')).toEqual(['test'])
    const both = await ask(path, user(), 'all')
    if (operationId in single)
      expect([both.status, both.error.message]).toEqual([400, expect.stringMatching(/^bad request: mode: /)])
    else expect([...new Set(modesOf(both))].sort()).toEqual(['live', 'test'])
  })

  test.each(takesKey(operationId) ? modes : [])(
    'with a %s key the operation returns only data in the mode of the key',
    async mode => {
      const other = mode === 'live' ? 'test' : 'live'
      expect(await shown(keyOf(mode))).toEqual([mode])
      expect(await shown(keyOf(mode), mode)).toEqual([mode])
      if (operationId in covered) expect(await shown(keyOf(mode), 'all')).toEqual([mode])
      const refused = await ask(path, keyOf(mode), other)
      expect([refused.status, refused.error.message]).toEqual([
        403,
        `forbidden: mode: a ${mode} key cannot access ${other} data; use a ${other} key`,
      ])
    },
  )
})

test('a list for one payment needs no mode parameter, because a payment has only one mode', async () => {
  const [{ id }] = (await ask('/v1/payments?status=paid', client, 'test')).data.items
  const { data } = await ask(`/v1/webhook-deliveries?payment_id=${id}`, client)
  expect(data.items.map(({ mode }: Item) => mode)).toEqual(['test'])
})

test('no report or balance adds test money to live money', async () => {
  const sums = async (mode: string, query = '') =>
    (await ask(`/v1/reports/payments?${query}`, client, mode)).data.items.map(
      ({ mode, amount_paid }: Item & { amount_paid: number }) => [mode, amount_paid],
    )
  expect(await sums('live')).toEqual([[undefined, 10_000_000]])
  expect(await sums('test')).toEqual([[undefined, 20_000_000]])
  expect(await sums('all')).toEqual([
    ['live', 10_000_000],
    ['test', 20_000_000],
  ])
  const auth = { auth: client, headers: { accept: 'text/csv' } }
  const { text } = await http('GET', `${demo.base_url}/v1/reports/payments?mode=all`, auth)
  expect(
    text
      .trimEnd()
      .split('\r\n')
      .map(line => line.split(',')[0]),
  ).toEqual(['mode', 'live', 'test'])
})
