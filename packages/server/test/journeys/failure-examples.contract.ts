// Verifies the error examples in the OpenAPI document. Every error response must match a documented example for its
// operation and status. Every documented example must occur in a test, except those in the list `unmet`.

import { beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { exampleId } from '../../src/openapi/example-parts.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { document, operations } from '../support/contract.ts'
import { type Answer, http } from '../support/merchant.ts'
import { differencesFrom, withReal } from './example-rule.ts'
import { type Scene, scenesOf } from './example-scenes.ts'

type Examples = Record<string, { value: { error: { code: string; message: string } } }>
type Media = { content?: Record<string, { examples?: Examples }> }
type Parameter = {
  name: string
  in: string
  required?: boolean
  examples?: Record<string, { value: unknown }>
}
type Documented = {
  operationId: string
  path: string
  method: string
  security: object[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> }
  responses: Record<string, Media | { $ref: string }>
}
type Send = {
  auth?: string
  raw?: string
  type?: string
  query?: string
  provider?: string
  date?: string
  key?: string
  real?: Record<string, string>
}

const documented = operations() as unknown as Documented[]
type Components = { responses: Record<string, Media>; parameters: Record<string, Parameter> }
const { responses, parameters } = (document as unknown as { components: Components }).components

let service: TestApp
let sceneOf: ReturnType<typeof scenesOf>
beforeAll(async () => {
  service = await testApp()
  sceneOf = scenesOf(service)
})

/** The documented error examples that have occurred so far, each as operation, status, and example name. */
const met = new Set<string>()

const examplesOf = (operation: Documented, status: number): Examples => {
  const response = operation.responses[status] ?? {}
  const media = '$ref' in response ? responses[response.$ref.split('/').at(-1) ?? ''] : response
  return media?.content?.['application/json']?.examples ?? {}
}

/** Checks that the response is one of the documented examples, and records that example. */
function hold(operation: Documented, answer: Answer, real: Record<string, string> = {}): void {
  const examples = Object.entries(examplesOf(operation, answer.status))
  const found = examples.filter(
    ([, { value }]) => differencesFrom(withReal(value, real) as never, JSON.parse(answer.text)).length === 0,
  )
  expect(
    found.length,
    `${operation.operationId} returned ${answer.status} ${answer.text}, which matches no documented example`,
  ).toBeGreaterThan(0)
  for (const [name] of found) met.add(`${operation.operationId} ${answer.status} ${name}`)
}

function send(
  operation: Documented,
  {
    auth,
    raw,
    type,
    query = queryNeeded(operation),
    provider = 'midtrans',
    date = '2026-11-19',
    key = ['createPayment', 'createRefund'].includes(operation.operationId) ? 'order-1001' : undefined,
    real = {},
  }: Send,
): Promise<Answer> {
  const { method, path } = operation
  const filled = path
    .replace('{provider_code}', provider)
    .replace('{date}', date)
    .replace('{tier}', 'starter')
    .replace(/(payments|[\w-]+)\/\{(\w+)\}/g, (_, parent, name) => `${parent}/${placeholderOf(parent, name)}`)
  const [[usual, media] = ['application/json', undefined]] = Object.entries(
    operation.requestBody?.content ?? {},
  )
  const example = media && Object.values(media.examples)[0]?.value
  const body =
    raw ?? (typeof example === 'string' ? example : JSON.stringify(withReal(example ?? null, real)))
  const isSent = raw !== undefined || operation.requestBody !== undefined
  const headers = {
    ...(isSent && { 'content-type': type ?? usual }),
    ...(key && { 'x-idempotency-key': key }),
  }
  return http(method, service.demo.base_url + withReal(filled + query, real), {
    ...(auth && { auth }),
    ...(isSent && { raw: body }),
    headers,
  })
}

/**
 * Returns an operation's required query parameters with example values. Without them, every call would fail with
 * another error.
 */
function queryNeeded({ parameters: own = [] }: Documented): string {
  const resolved = own.map(each =>
    '$ref' in each ? (parameters[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each,
  )
  const needed = resolved.flatMap(each =>
    each.in === 'query' && each.required
      ? [[each.name, String(Object.values(each.examples ?? {})[0]?.value)]]
      : [],
  )
  return needed.length > 0 ? `?${new URLSearchParams(needed)}` : ''
}

const placeholders: Record<string, number> = {
  payment_id: 1,
  refund_id: 33,
  event_id: 2,
  endpoint_id: 41,
  tenant_id: 10,
  key_id: 13,
  account_id: 14,
  'provider-callbacks': 5,
  'unexpected-money': 21,
  'reconciliation-differences': 31,
}
const placeholderOf = (parent: string, name: string) =>
  exampleId(placeholders[name] ?? placeholders[parent] ?? 0)

const takes = (operation: Documented, name: string): boolean => operation.security.some(each => name in each)

/** Returns the credential of a caller that may call the operation, or undefined if it needs no credential. */
const callerOf = (operation: Documented, { auth }: Scene): string | undefined => {
  if (operation.security.length === 0) return undefined
  if (takes(operation, 'ApiKeyAuth')) return auth.key
  return says(operation, 403, /your role is client$/) ? auth.owner : auth.user
}

const says = (operation: Documented, status: number, words: RegExp): boolean =>
  Object.values(examplesOf(operation, status)).some(({ value }) => words.test(value.error.message))

/** Returns a request in which the last ID in the path does not exist, but all other IDs do. */
function missing({ operationId, path }: Documented, { auth, real }: Pick<Send, 'auth' | 'real'>): Send {
  const as = { ...(auth !== undefined && { auth }) }
  if (/\{provider_code\}\/accounts$/.test(path)) return { ...as, provider: 'nobody' }
  if (operationId === 'eraseCustomer') return { ...as, raw: JSON.stringify({ payment_id: exampleId(1) }) }
  const only = (id: string) => ({ ...as, real: { [id]: real?.[id] ?? '' } })
  if (operationId === 'listSettlementLines') return only(exampleId(14))
  return /\{(key|user|payment)_id\}/.test(path) ? only(exampleId(10)) : as
}

test.each(documented.map(operation => [operation.operationId, operation] as const))(
  '%s returns the documented errors that all operations share',
  async (_, operation) => {
    const scene = await sceneOf('nothing')
    const auth = callerOf(operation, scene)
    const as = { ...(auth !== undefined && { auth }), real: scene.real }
    if (auth !== undefined) {
      hold(operation, await send(operation, {}))
      hold(operation, await send(operation, { auth: `ApiKey gp_test_${'a'.repeat(38)}` }))
      hold(operation, await send(operation, { auth: 'Bearer x' }))
    }
    if (auth === scene.auth.owner) hold(operation, await send(operation, { auth: scene.auth.user }))
    if (!['GET', 'DELETE'].includes(operation.method)) {
      const isUpload = operation.requestBody?.content['text/csv'] !== undefined
      if (says(operation, 400, /JSON/)) hold(operation, await send(operation, { ...as, raw: '{' }))
      if (!isUpload)
        hold(operation, await send(operation, { ...as, raw: JSON.stringify('x'.repeat(300_000)) }))
      hold(operation, await send(operation, { ...as, raw: 'x', type: 'text/plain' }))
    }
    if (operation.responses[404]) hold(operation, await send(operation, missing(operation, as)))
    if (operation.parameters?.some(each => '$ref' in each && each.$ref.endsWith('/CursorParameter')))
      hold(operation, await send(operation, { ...as, query: '?cursor=none' }))
  },
)

const firstCode = (current_password: string) => JSON.stringify({ code: '000000', current_password })
const order = (extra: object = {}) =>
  JSON.stringify({
    amount: 10_000_000,
    currency: 'IDR',
    method_type: 'virtual_account',
    method_detail: { type: 'virtual_account', bank: 'BCA' },
    ...extra,
  })

/**
 * Requests that cause errors specific to one operation. `before` names another operation whose example data the test
 * prepares first.
 */
const own: [operationId: string, what: string, send: Send, before?: string][] = [
  ['createRefund', 'a refund above the refundable rest', { raw: '{"amount":20000000}' }, 'createRefund'],
  ['createRefund', 'a refund of a payment that is not paid', { raw: '{}' }, 'cancelPayment'],
  ['createRefund', 'a used idempotency key', { raw: '{"amount":3}', key: 'refund-1001' }, 'getRefund'],
  ['setFeeSchedule', 'two rules for the same payments', { raw: '{"rules":[{},{}]}' }],
  ['reportFees', 'an unknown field in group_by', { query: '?group_by=color' }],
  ['createPayment', 'an amount of zero', { raw: order({ amount: 0 }) }],
  [
    'createPayment',
    'a bank that is not enabled',
    { raw: order({ method_detail: { type: 'virtual_account', bank: 'muamalat' } }) },
  ],
  ['createPayment', 'a used idempotency key', { raw: order({ amount: 100 }) }, 'getPayment'],
  ['createPayment', 'a payment its provider rejects', { raw: order({ customer_name: 'SANDBOX REJECT' }) }],
  ['cancelPayment', 'a paid payment', {}, 'getPayment'],
  ['resolvePayment', 'a payment that is not challenged', {}, 'cancelPayment'],
  ['getBalance', 'an unknown mode', { query: '?mode=x' }],
  ['login', 'no email address', { raw: '{"email":"","password":"x"}' }],
  ['login', 'a wrong password', { raw: '{"email":"client@example.com","password":"wrong"}' }],
  [
    'login',
    'a user with a second factor',
    { raw: '{"email":"client@example.com","password":"correct horse battery staple"}' },
    'a user with a second factor',
  ],
  [
    'completeLogin',
    'a wrong code',
    { raw: '{"challenge":"gp_challenge_Zm9v","code":"000000"}' },
    'completeLogin',
  ],
  ['completeLogin', 'an unknown challenge', {}],
  ['acceptInvitation', 'an unknown invitation token', {}],
  ['startTotp', 'an authenticator app that is already enabled', {}, 'a user with a second factor'],
  ['confirmTotp', 'a wrong code', { raw: firstCode('correct horse battery staple') }, 'confirmTotp'],
  ['confirmTotp', 'a wrong password', { raw: firstCode('wrong') }, 'confirmTotp'],
  ['confirmTotp', 'no authenticator app to confirm', {}],
  ['removeTotp', 'no authenticator app', {}],
  ['removeTotp', 'the last factor that the tenant requires', {}, 'a tenant that requires a second factor'],
  ['renewRecoveryCodes', 'a user without a second factor', {}],
  ['confirmSecondFactor', 'a wrong code', { raw: '{"code":"000000"}' }],
  ['setSecurity', 'a user without a second factor', {}],
  ['updateUser', 'the last admin', { raw: '{"permissions":["viewer"]}' }],
  ['removeUser', 'the last admin', {}],
  ['resendInvitation', 'a user who has a password', {}],
  ['refresh', 'an unknown refresh token', {}],
  ['confirmPasswordReset', 'an unknown password reset token', {}],
  ['changePassword', 'a wrong password', { raw: '{"current_password":"x","new_password":"long enough"}' }],
  ['updateNotifications', 'an email kind that only the Owner gets', { raw: '{"provider_down":false}' }],
  [
    'setBranding',
    'a color with too little contrast',
    { raw: '{"display_name":null,"color":"#f5a623","logo":null}' },
  ],
  [
    'setBranding',
    'a logo that is not a picture',
    { raw: '{"display_name":null,"color":null,"logo":{"content_type":"image/png","data":"PHN2Zy8+"}}' },
  ],
  ['setWebhook', 'a callback URL without HTTPS', { raw: '{"callback_url":"ftp://shop.example.com"}' }],
  ['rotateWebhookSecret', 'an eleventh previous secret', {}, 'ten previous secrets'],
  ['sendTestWebhook', 'a tenant without a callback URL', {}],
  ['redeliverFailedWebhooks', 'a tenant without a callback URL', {}],
  ['redeliverWebhook', 'an event that is being delivered', {}, 'a webhook event that cannot be delivered'],
  ['redeliverWebhook', 'a tenant without a callback URL', {}, 'an event without an address'],
  ['createWebhookEndpoint', 'a URL without HTTPS', { raw: '{"mode":"test","url":"ftp://shop.example.com"}' }],
  ['createWebhookEndpoint', 'a URL of another endpoint', {}, 'getWebhookEndpoint'],
  ['createWebhookEndpoint', 'an eleventh endpoint', {}, 'ten endpoints'],
  [
    'updateWebhookEndpoint',
    'a URL without HTTPS',
    { raw: '{"url":"ftp://shop.example.com"}' },
    'getWebhookEndpoint',
  ],
  [
    'updateWebhookEndpoint',
    'a URL of another endpoint',
    { raw: '{"url":"https://shop.example.com/hooks/gapura"}' },
    'two endpoints',
  ],
  ['rotateWebhookEndpointSecret', 'an active previous secret', {}, 'an endpoint whose secret was rotated'],
  ['getWebhookEndpointDelivery', 'an event that the endpoint did not get', {}, 'getWebhookEndpoint'],
  ['redeliverToWebhookEndpoint', 'an event that the endpoint did not get', {}, 'getWebhookEndpoint'],
  ['redeliverToWebhookEndpoint', 'an event that is being delivered', {}, 'an event that no endpoint accepts'],
  ['redeliverToWebhookEndpoint', 'a disabled endpoint', {}, 'an endpoint that is disabled'],
  ['listenForWebhooks', 'an invalid cursor', { query: '?cursor=none' }],
  ['rotateApiKey', 'an API key that was already rotated', {}],
  ['createUser', 'an email address in use', {}],
  ['updateTierLimits', 'a rate below the minimum', { raw: '{"requests_per_second":9}' }],
  ['updateTenantLimits', 'more requests in flight than the maximum', { raw: '{"requests_in_flight":513}' }],
  ['previewRoute', 'an unknown mode', { query: '?mode=x' }],
  ['acceptUnexpectedMoney', 'unexpected money that belongs to no payment', {}, 'assignUnexpectedMoney'],
  ['assignUnexpectedMoney', 'an unknown record', {}, 'cancelPayment'],
  ['assignUnexpectedMoney', 'unexpected money that belongs to a payment', {}, 'acceptUnexpectedMoney'],
  ['inquireUnknownPayment', 'a pending payment', {}, 'cancelPayment'],
  ['resolveUnknownPayment', 'a pending payment', {}, 'cancelPayment'],
  ['reportBooks', 'an unknown mode', { query: '?mode=x' }],
  ['reportPayments', 'an unknown group', { query: '?group_by=x' }],
  ['uploadSettlement', 'a day in the future', { date: '2999-01-01' }],
  ['reportReconciliation', 'an invalid date', { query: '?date=x' }],
  ['closeReconciliationDifference', 'a difference that is already closed', {}, 'a difference that is closed'],
  ['reportReconciliation', 'inquiries by a merchant', { query: '?source=inquiry' }],
  [
    'listTenantPaymentDeliveries',
    'an invalid cursor',
    { query: '?cursor=none' },
    'listTenantPaymentDeliveries',
  ],
  ['listSettlementLines', 'an invalid cursor', { query: '?cursor=none' }, 'listSettlementLines'],
]
/** The operations that a test must call twice, because only the second call returns the documented error. */
const twice = new Set(['rotateApiKey', 'createUser'])

test.each(own)('%s returns the documented error for %s', async (operationId, _what, request, before) => {
  const operation = documented.find(each => each.operationId === operationId) as Documented
  const scene = await sceneOf(before ?? 'nothing')
  const auth = callerOf(operation, scene)
  const sent = { ...(auth && { auth }), ...request, real: scene.real }
  if (twice.has(operationId)) await send(operation, sent)
  hold(operation, await send(operation, sent), scene.real)
})

const acceptKeys = documented.filter(({ parameters = [] }) =>
  parameters.some(each => '$ref' in each && each.$ref.endsWith('/XIdempotencyKeyParameter')),
)

test.each(acceptKeys.map(operation => [operation.operationId, operation] as const))(
  '%s returns the documented error if the user has used the idempotency key for another request',
  async (operationId, operation) => {
    const { auth, real } = await sceneOf('nothing')
    const sent = {
      auth: says(operation, 403, /your role is client$/) ? auth.owner : auth.user,
      real,
      key: `another-${operationId}`,
    }
    const first = operationId === 'createApiKey' ? 'rotateWebhookSecret' : 'createApiKey'
    const used = await send(documented.find(each => each.operationId === first) as Documented, sent)
    expect(used.status, used.text).toBe(200)
    hold(operation, await send(operation, sent))
  },
)

test('if users try to suspend their own tenant, updateTenant returns the error in the API document', async () => {
  const operation = documented.find(each => each.operationId === 'updateTenant') as Documented
  const { auth } = await sceneOf('nothing')
  const real = { [exampleId(10)]: service.demo.owner.tenant_id }
  hold(operation, await send(operation, { auth: auth.owner, real }))
})

test("creating a payment with an Owner's API key returns the error in the API document", async () => {
  const { key } = await createApiKey(service.app, null, service.demo.owner.tenant_id, {
    name: 'test',
    mode: 'test',
  })
  const operation = documented.find(each => each.operationId === 'createPayment') as Documented
  hold(operation, await send(operation, { auth: `ApiKey ${key}` }))
})

/**
 * Documented errors for which this file has no test. Most of them require a service or provider fault, an
 * exhausted limit, or a race.
 */
const unmet = [
  /429 |500 |503 /,
  / 403 FORBIDDEN$/,
  / 502 PROVIDER_ERROR(_2)?$/,
  / 409 IDEMPOTENCY_CONFLICT_2$/,
  /^resolvePayment 409 CONFLICT$/,
  /^(refund|dismiss)UnexpectedMoney 409 CONFLICT$/,
  /^uploadSettlement 413 /,
  /^removePasskey 409 CONFLICT$/,
  // Other tests produce these errors: src/payments/refund/refund.test.ts tests INSUFFICIENT_BALANCE of createRefund,
  // and refunds.test.ts tests INVALID_STATE_TRANSITION of resolveRefund.
  /^createRefund 409 INSUFFICIENT_BALANCE$/,
  /^resolveRefund 409 INVALID_STATE_TRANSITION$/,
  // second-factor.heavy.test.ts tests OTP_REQUIRED: for logins with a second factor, and for operations that need its recent
  // confirmation.
  /^\w+ 401 OTP_REQUIRED$/,
  /^completeLogin 401 UNAUTHORIZED$/,
  // team.heavy.test.ts tests these 409 responses (CONFLICT). The errors are caused by changes to a team's last admin
  // and by invitations that have already been accepted.
  /^(updateUser|removeUser|resendInvitation) 409 CONFLICT$/,
]

test("every documented error occurs in a test of this file or is in the file's list of exceptions", () => {
  const all = documented.flatMap(operation =>
    Object.keys(operation.responses).flatMap(status =>
      Object.keys(examplesOf(operation, Number(status))).map(
        name => `${operation.operationId} ${status} ${name}`,
      ),
    ),
  )
  expect(
    all.filter(each => !each.includes(' 200 ') && !met.has(each) && !unmet.some(hard => hard.test(each))),
  ).toEqual([])
})
