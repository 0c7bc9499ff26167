import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breakingChanges } from './breaking-changes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests change any part of the document
type Document = any
const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
)
const changed = (plant: (document: Document) => void): Document => {
  const after = structuredClone(document)
  plant(after)
  return after
}
const schema = (of: Document, name: string): Document => of.components.schemas[name]
const operation = (of: Document, path: string, method = 'get'): Document => of.paths[path][method]
const without = (list: string[], name: string) => list.splice(list.indexOf(name), 1)

const balance = 'GET /v1/account/balance'

const breaking: [title: string, plant: (document: Document) => void, ...told: (string | RegExp)[]][] = [
  ['an operation is gone', d => delete d.paths['/v1/account/balance'], `${balance}: is gone; keep it, with`],
  [
    'a method of a path is gone',
    d => delete d.paths['/v1/account/webhook'].put,
    'PUT /v1/account/webhook: is gone',
  ],
  [
    'an operation has another id',
    d => Object.assign(operation(d, '/v1/account/balance'), { operationId: 'balance' }),
    `${balance}: is called balance now, was getBalance`,
  ],
  [
    'an operation takes an API key no more',
    d => operation(d, '/v1/account/balance').security.shift(),
    `${balance}: does not take apiKey header Authorization any more`,
  ],
  [
    'a public operation needs a credential',
    d => Object.assign(operation(d, '/v1/auth/login', 'post'), { security: [{ ApiKeyAuth: [] }] }),
    'POST /v1/auth/login: needs a credential now',
  ],
  [
    'a parameter is gone',
    d => operation(d, '/v1/payments').parameters.pop(),
    'GET /v1/payments: query q is gone',
  ],
  [
    'a new parameter is required',
    d =>
      operation(d, '/v1/account/balance').parameters.push({
        name: 'day',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
    `${balance}: query day is required now`,
  ],
  [
    'a shared parameter takes less',
    d => Object.assign(d.components.parameters.LimitParameter.schema, { maximum: 50 }),
    'GET /v1/payments: query limit: the body: maximum is 50 now, was 100',
  ],
  [
    'a default is another one',
    d => Object.assign(d.components.parameters.LimitParameter.schema, { default: 50 }),
    'GET /v1/payments: query limit: the body: default is 50 now, was 20',
  ],
  [
    'a request field is required',
    d => schema(d, 'CreateTenantBody').required.push('tier'),
    'POST /v1/tenants: request: tier: is required now; leave it optional',
  ],
  [
    'a request field is gone',
    d => delete schema(d, 'CreateTenantBody').properties.parent_id,
    'POST /v1/tenants: request: parent_id: is gone; keep it, with `deprecated: true`',
  ],
  [
    'a request field takes a value less',
    d => schema(d, 'Mode').enum.shift(),
    'POST /v1/tenants/{tenant_id}/api-keys: request: mode: the value "live" is gone',
  ],
  [
    'a request field takes less',
    d => Object.assign(schema(d, 'RotateApiKeyBody').properties.grace_minutes, { maximum: 60 }),
    'request: grace_minutes: maximum is 60 now, was 1440',
  ],
  [
    'a request field has a form',
    d => Object.assign(schema(d, 'CreateApiKeyBody').properties.name, { pattern: '^[a-z]+$' }),
    'request: name: pattern is "^[a-z]+$" now, was "\\\\S"',
  ],
  [
    'a request field takes null no more',
    d => Object.assign(schema(d, 'SetWebhookBody').properties.callback_url, { type: 'string' }),
    'PUT /v1/account/webhook: request: callback_url: does not take null any more',
  ],
  [
    'a field deep in a request is required',
    d => schema(d, 'ItemInput').required.push('sku'),
    'POST /v1/payments/create: request: items[].sku: is required now',
  ],
  [
    'a method cannot be created any more',
    d => schema(d, 'CreatePayment').oneOf.pop(),
    'POST /v1/payments/create: request: the body: method_type=over_the_counter is gone from its choices',
  ],
  [
    'an answered field is gone',
    d => delete schema(d, 'Balance').properties.currency,
    `${balance}: 200: data.currency: is gone`,
  ],
  [
    'an answered field of one method is gone, wherever payments are',
    d => delete schema(d, 'VirtualAccountData').properties.va_number,
    'GET /v1/payments/{payment_id}: 200: data.method_data.va_number: is gone',
    'GET /v1/payments: 200: data.items[].method_data.va_number: is gone',
    'webhook payment.paid: body: data.method_data.va_number: is gone',
  ],
  [
    'an answered field may be absent',
    d => without(schema(d, 'Balance').required, 'currency'),
    `${balance}: 200: data.currency: may be absent now; always answer it`,
  ],
  [
    'an answered field can be null',
    d => Object.assign(schema(d, 'Balance').properties.balance, { type: ['integer', 'null'] }),
    `${balance}: 200: data.balance: can be null now, was integer`,
  ],
  [
    'an answered field is of another type',
    d => Object.assign(schema(d, 'Balance').properties.balance, { type: 'string' }),
    `${balance}: 200: data.balance: can be string now, was integer`,
  ],
  [
    'an answered field is of another format',
    d => delete schema(d, 'Tenant').properties.created_at.format,
    'GET /v1/tenants/{tenant_id}: 200: data.created_at: its format is none now, was date-time',
  ],
  [
    'a value is never answered any more',
    d => without(schema(d, 'PaymentStatus').enum, 'challenged'),
    'data.status: the value "challenged" is gone',
  ],
  [
    'an error has another code',
    d =>
      Object.assign(operation(d, '/v1/payments/create', 'post').responses['409'], {
        'x-error-codes': ['CONFLICT'],
      }),
    'POST /v1/payments/create: 409: the error code IDEMPOTENCY_CONFLICT is gone',
  ],
  [
    'an error is told by another status',
    d => delete operation(d, '/v1/payments/{payment_id}').responses['404'],
    'GET /v1/payments/{payment_id}: the answer 404 is gone',
  ],
  [
    'a shared error has lost its header',
    d => delete d.components.responses.RateLimited.headers['Retry-After'],
    `${balance}: 429: the header Retry-After is gone`,
  ],
  [
    'an answer is not to be had as CSV any more',
    d => delete operation(d, '/v1/reports/payments').responses['200'].content['text/csv'],
    'GET /v1/reports/payments: 200: text/csv is gone',
  ],
  ['a webhook is gone', d => delete d.webhooks['payment.paid'], 'webhook payment.paid: is gone'],
  [
    'a field of a webhook is gone',
    d => delete schema(d, 'PaymentReversedEvent').properties.ledger_entry,
    'webhook payment.reversed: body: ledger_entry: is gone',
  ],
  [
    'a header of webhooks is gone',
    d => d.webhooks['payment.paid'].post.parameters.shift(),
    'webhook payment.paid: the header X-Service-Event-Id is gone',
  ],
  [
    'a certain field of a webhook is no longer certain',
    d => schema(d, 'PaymentPaidEvent').properties.data.allOf.pop(),
    /^webhook payment\.paid: body: data\.(amount_paid|paid_at): can be null now/,
  ],
]

test.each(breaking)('a breaking change is reported: %s', (_, plant, ...told) => {
  const changes = breakingChanges(document, changed(plant))
  for (const each of told)
    expect(changes).toContainEqual(
      typeof each === 'string' ? expect.stringContaining(each) : expect.stringMatching(each),
    )
})

const additive: [title: string, plant: (document: Document) => void][] = [
  ['nothing', () => {}],
  ['a new operation', d => Object.assign(d.paths, { '/v1/refunds': d.paths['/v1/payments'] })],
  [
    'an operation that also takes an access token',
    d => operation(d, '/v1/payments/create', 'post').security.push({ AccessTokenAuth: [] }),
  ],
  [
    'a new optional parameter',
    d =>
      operation(d, '/v1/account/balance').parameters.push({
        name: 'day',
        in: 'query',
        schema: { type: 'string' },
      }),
  ],
  [
    'a parameter that takes more',
    d => Object.assign(d.components.parameters.LimitParameter.schema, { maximum: 500 }),
  ],
  [
    'a new optional request field',
    d => Object.assign(schema(d, 'CreateTenantBody').properties, { city: { type: 'string' } }),
  ],
  ['a request field that may be left out', d => without(schema(d, 'CreateTenantBody').required, 'name')],
  [
    'a request field that takes null too',
    d => Object.assign(schema(d, 'CreateTenantBody').properties.name, { type: ['string', 'null'] }),
  ],
  [
    'a new method to create',
    d => schema(d, 'CreatePayment').oneOf.push({ $ref: '#/components/schemas/CreateTenantBody' }),
  ],
  [
    'a new answered field',
    d => Object.assign(schema(d, 'Balance').properties, { pending: { type: 'integer' } }),
  ],
  ['an answered field that is always there now', d => schema(d, 'PaymentReportItem').required.push('day')],
  [
    'an answered field that is never null now',
    d => Object.assign(schema(d, 'ApiKey').properties.last_used_at, { type: 'string' }),
  ],
  [
    'a value for an answered field that was only ever null',
    d =>
      Object.assign(schema(d, 'WebhookTestEvent').properties.previous_status, { type: ['string', 'null'] }),
  ],
  ['a new value of an answered field', d => schema(d, 'EntryType').enum.push('hold')],
  [
    'a second currency',
    d => {
      const { currency } = schema(d, 'Balance').properties
      delete currency.const
      currency.enum = ['IDR', 'USD']
    },
  ],
  ['a new shape of payment', d => schema(d, 'Payment').oneOf.push({ $ref: '#/components/schemas/Balance' })],
  [
    'a new error',
    d =>
      Object.assign(operation(d, '/v1/account/balance').responses, {
        '409': { $ref: '#/components/responses/PaymentNotFound' },
      }),
  ],
  ['a new error code', d => schema(d, 'ErrorCode').enum.push('NEW')],
  ['a new webhook', d => Object.assign(d.webhooks, { 'payment.held': d.webhooks['payment.paid'] })],
  ['a deprecation', d => Object.assign(operation(d, '/v1/account/balance'), { deprecated: true })],
  [
    'other words and another order',
    d => {
      d.info.description = 'Other words'
      schema(d, 'Payment').oneOf.reverse()
      schema(d, 'Balance').required.reverse()
    },
  ],
  [
    'a schema by another name',
    d => {
      d.components.schemas.TenantBalance = schema(d, 'Balance')
      const { content } = operation(d, '/v1/account/balance').responses['200']
      content['application/json'].schema = {
        type: 'object',
        properties: {
          ...schema(d, 'BalanceEnvelope').properties,
          data: { $ref: '#/components/schemas/TenantBalance' },
        },
        required: ['success', 'data'],
      }
    },
  ],
]

test.each(additive)('an additive change is not reported: %s', (_, plant) => {
  expect(breakingChanges(document, changed(plant))).toEqual([])
})

const node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } }
/** Returns a document with one operation: its request has the schema `sent`, its response the schema `answered`. */
const small = (of: { sent?: object; answered?: object }, Node: object = node): Document => ({
  paths: {
    '/v1/x': {
      post: {
        operationId: 'x',
        ...(of.sent && { requestBody: { content: { 'application/json': { schema: of.sent } } } }),
        responses: { '200': { content: { 'application/json': { schema: of.answered ?? {} } } } },
      },
    },
  },
  components: { schemas: { Node } },
})
const text = { type: 'string' }
const whole = { type: 'integer' }
const broken = { type: 'number' }
const ref = { $ref: '#/components/schemas/Node' }
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })

type Difference = [what: string, direction: 'sent' | 'answered', before: object, after: object]

test.each<[...Difference, told: string]>([
  ['anything becomes a text', 'sent', {}, text, 'takes only string now'],
  ['any text becomes one of two', 'sent', text, { ...text, enum: ['a', 'b'] }, 'takes only "a", "b" now'],
  ['a minimum rises', 'sent', { ...whole, minimum: 1 }, { ...whole, minimum: 2 }, 'minimum is 2 now, was 1'],
  ['a default goes', 'sent', { ...whole, default: 1 }, whole, 'has no default any more'],
  ['a number becomes whole', 'sent', broken, whole, 'does not take number any more'],
  ['a whole number becomes broken', 'answered', whole, broken, 'can be number now, was integer'],
  ['a text becomes anything', 'answered', text, {}, 'may be anything now, was string'],
  ['a list of values becomes open', 'answered', { enum: ['a'] }, {}, 'has no list of its values any more'],
  [
    "a map's values change",
    'answered',
    { additionalProperties: text },
    { additionalProperties: whole },
    '{}: can be integer',
  ],
  ['a map has no values', 'answered', { additionalProperties: text }, {}, '{}: is gone'],
  [
    'one shape becomes a choice',
    'answered',
    object({ a: text }),
    { oneOf: [object({ a: text }), text] },
    'is one of several now',
  ],
  ['a thing can be null', 'answered', ref, { anyOf: [ref, { type: 'null' }] }, 'can be null now, was object'],
  [
    'a field of a part of allOf may be absent',
    'answered',
    { allOf: [object({ a: text }), { required: ['a'] }] },
    object({ a: text }),
    'a: may be absent now',
  ],
])('a breaking schema change is reported: %s', (_, direction, before, after, told) => {
  const changes = breakingChanges(small({ [direction]: before }), small({ [direction]: after }))
  expect(changes).toEqual([expect.stringContaining(told)])
})

test.each<Difference>([
  ['a whole number becomes broken', 'sent', whole, broken],
  ['a number becomes whole', 'answered', broken, whole],
  ['a text becomes anything', 'sent', text, {}],
  ['a minimum falls', 'sent', { ...whole, minimum: 2 }, { ...whole, minimum: 1 }],
  ['a limit goes', 'sent', { ...text, maxLength: 5 }, text],
  ['a first default comes', 'sent', whole, { ...whole, default: 1 }],
  ['a thing is never null', 'answered', { anyOf: [ref, { type: 'null' }] }, ref],
  ['a thing can be null', 'sent', ref, { anyOf: [ref, { type: 'null' }] }],
  [
    'null is written in another form',
    'answered',
    { anyOf: [text, { type: 'null' }] },
    { type: ['string', 'null'] },
  ],
])('a compatible schema change is not reported: %s', (_, direction, before, after) => {
  expect(breakingChanges(small({ [direction]: before }), small({ [direction]: after }))).toEqual([])
})

test('a request body that becomes required is reported', () => {
  const after = small({ sent: text })
  after.paths['/v1/x'].post.requestBody.required = true
  expect(breakingChanges(small({}), after)).toEqual(['POST /v1/x: needs a body now; do without as before'])
})

test('a removed field is reported as one breaking change, not several', () => {
  const before = small({ answered: object({ a: text }, ['a']) })
  expect(breakingChanges(before, small({ answered: object({}) }))).toEqual([
    expect.stringContaining('a: is gone'),
  ])
})

test('a comparison of recursive schemas terminates', () => {
  const leaf = { ...node, properties: { ...node.properties, name: text } }
  const changes = breakingChanges(small({ answered: ref }, leaf), small({ answered: ref }))
  expect(changes).toEqual([expect.stringContaining('name: is gone')])
})
