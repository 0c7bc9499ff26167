import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breakingChanges } from './breaking-changes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests change arbitrary parts of the document
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
  ['an operation is removed', d => delete d.paths['/v1/account/balance'], `${balance}: was removed; keep it`],
  [
    'a method of a path is removed',
    d => delete d.paths['/v1/account/webhook'].put,
    'PUT /v1/account/webhook: was removed',
  ],
  [
    'the ID of an operation changes',
    d => Object.assign(operation(d, '/v1/account/balance'), { operationId: 'balance' }),
    `${balance}: the operation ID changed from getBalance to balance`,
  ],
  [
    'an operation no longer accepts an API key',
    d => operation(d, '/v1/account/balance').security.shift(),
    `${balance}: no longer accepts apiKey header Authorization`,
  ],
  [
    'a public operation requires a credential',
    d => Object.assign(operation(d, '/v1/auth/login', 'post'), { security: [{ ApiKeyAuth: [] }] }),
    'POST /v1/auth/login: now requires a credential',
  ],
  [
    'a parameter is removed',
    d => operation(d, '/v1/payments').parameters.pop(),
    'GET /v1/payments: query style was removed',
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
    `${balance}: query day is now required`,
  ],
  [
    'a shared parameter has a lower maximum',
    d => Object.assign(d.components.parameters.LimitParameter.schema, { maximum: 50 }),
    'GET /v1/payments: query limit: the body: maximum is now 50 (was 100)',
  ],
  [
    'a default changes',
    d => Object.assign(d.components.parameters.LimitParameter.schema, { default: 50 }),
    'GET /v1/payments: query limit: the body: default is now 50 (was 20)',
  ],
  [
    'an optional request field becomes required',
    d => schema(d, 'CreateTenantBody').required.push('tier'),
    'POST /v1/tenants: request: tier: is now required; keep the field optional',
  ],
  [
    'a request field is removed',
    d => delete schema(d, 'CreateTenantBody').properties.parent_id,
    'POST /v1/tenants: request: parent_id: was removed; keep the field with `deprecated: true`',
  ],
  [
    'a request field accepts one value fewer',
    d => schema(d, 'Mode').enum.shift(),
    'POST /v1/tenants/{tenant_id}/api-keys: request: mode: the value "live" was removed',
  ],
  [
    'a request field has a lower maximum',
    d => Object.assign(schema(d, 'RotateApiKeyBody').properties.grace_minutes, { maximum: 60 }),
    'request: grace_minutes: maximum is now 60 (was 1440)',
  ],
  [
    'a request field has a stricter pattern',
    d => Object.assign(schema(d, 'CreateApiKeyBody').properties.name, { pattern: '^[a-z]+$' }),
    'request: name: pattern is now "^[a-z]+$" (was "\\\\S")',
  ],
  [
    'a request field no longer accepts null',
    d => Object.assign(schema(d, 'SetWebhookBody').properties.callback_url, { type: 'string' }),
    'PUT /v1/account/webhook: request: callback_url: no longer accepts null',
  ],
  [
    'a field nested in a request becomes required',
    d => schema(d, 'ItemInput').required.push('sku'),
    'POST /v1/payments/create: request: items[].sku: is now required',
  ],
  [
    'payments by a method can no longer be created',
    d => schema(d, 'CreatePayment').oneOf.pop(),
    'POST /v1/payments/create: request: the body: the alternative method_type=over_the_counter was removed',
  ],
  [
    'a response field is removed',
    d => delete schema(d, 'Balance').properties.currency,
    `${balance}: 200: data.currency: was removed`,
  ],
  [
    'a response field of one payment method is removed, wherever payments are returned',
    d => delete schema(d, 'VirtualAccountData').properties.va_number,
    'GET /v1/payments/{payment_id}: 200: data.method_data.va_number: was removed',
    'GET /v1/payments: 200: data.items[].method_data.va_number: was removed',
    'webhook payment.paid: body: data.method_data.va_number: was removed',
  ],
  [
    'a response field may be absent',
    d => without(schema(d, 'Balance').required, 'currency'),
    `${balance}: 200: data.currency: may now be absent; always return it`,
  ],
  [
    'a response field can be null',
    d => Object.assign(schema(d, 'Balance').properties.balance, { type: ['integer', 'null'] }),
    `${balance}: 200: data.balance: can now be null (was integer)`,
  ],
  [
    'a response field changes its type',
    d => Object.assign(schema(d, 'Balance').properties.balance, { type: 'string' }),
    `${balance}: 200: data.balance: can now be string (was integer)`,
  ],
  [
    'a response field changes its format',
    d => delete schema(d, 'Tenant').properties.created_at.format,
    'GET /v1/tenants/{tenant_id}: 200: data.created_at: the format is now none (was date-time)',
  ],
  [
    'a value is no longer listed for a response field',
    d => without(schema(d, 'PaymentStatus').enum, 'challenged'),
    'data.status: the value "challenged" was removed',
  ],
  [
    'an error changes its code',
    d =>
      Object.assign(operation(d, '/v1/payments/create', 'post').responses['409'], {
        'x-error-codes': ['CONFLICT'],
      }),
    'POST /v1/payments/create: 409: the error code IDEMPOTENCY_CONFLICT was removed',
  ],
  [
    'an error changes its HTTP status',
    d => delete operation(d, '/v1/payments/{payment_id}').responses['404'],
    'GET /v1/payments/{payment_id}: the response 404 was removed',
  ],
  [
    'a shared error response loses a header',
    d => delete d.components.responses.RateLimited.headers['Retry-After'],
    `${balance}: 429: the header Retry-After was removed`,
  ],
  [
    'a response is no longer available as CSV',
    d => delete operation(d, '/v1/reports/payments').responses['200'].content['text/csv'],
    'GET /v1/reports/payments: 200: text/csv was removed',
  ],
  ['a webhook is removed', d => delete d.webhooks['payment.paid'], 'webhook payment.paid: was removed'],
  [
    'a field of a webhook is removed',
    d => delete schema(d, 'PaymentReversedEvent').properties.ledger_entry,
    'webhook payment.reversed: body: ledger_entry: was removed',
  ],
  [
    'a header of webhooks is removed',
    d => d.webhooks['payment.paid'].post.parameters.shift(),
    'webhook payment.paid: the header X-Service-Event-Id was removed',
  ],
  [
    'a webhook field that was never null can be null',
    d => schema(d, 'PaymentPaidEvent').properties.data.allOf.pop(),
    /^webhook payment\.paid: body: data\.(amount_paid|paid_at): can now be null/,
  ],
]

test.each(breaking)('a breaking change of the API document is reported: %s', (_, plant, ...told) => {
  const changes = breakingChanges(document, changed(plant))
  for (const each of told)
    expect(changes).toContainEqual(
      typeof each === 'string' ? expect.stringContaining(each) : expect.stringMatching(each),
    )
})

const additive: [title: string, plant: (document: Document) => void][] = [
  ['no change at all', () => {}],
  [
    'a UUID or a payment code in place of a UUID',
    d => {
      const filterOf = (path: string) =>
        operation(d, path, 'get').parameters.find(({ name }: { name: string }) => name === 'payment_id')
      filterOf('/v1/webhook-deliveries').schema = filterOf('/v1/provider-callbacks').schema
    },
  ],
  ['a new operation', d => Object.assign(d.paths, { '/v1/invoices': d.paths['/v1/payments'] })],
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
    'a parameter with a higher maximum',
    d => Object.assign(d.components.parameters.LimitParameter.schema, { maximum: 500 }),
  ],
  [
    'a new optional request field',
    d => Object.assign(schema(d, 'CreateTenantBody').properties, { city: { type: 'string' } }),
  ],
  ['a request field that becomes optional', d => without(schema(d, 'CreateTenantBody').required, 'name')],
  [
    'a request field that also accepts null',
    d => Object.assign(schema(d, 'CreateTenantBody').properties.name, { type: ['string', 'null'] }),
  ],
  [
    'a new payment method in requests',
    d => schema(d, 'CreatePayment').oneOf.push({ $ref: '#/components/schemas/CreateTenantBody' }),
  ],
  [
    'a new response field',
    d => Object.assign(schema(d, 'Balance').properties, { pending: { type: 'integer' } }),
  ],
  ['a response field that is now always present', d => schema(d, 'PaymentReportItem').required.push('day')],
  [
    'a response field that is now never null',
    d => Object.assign(schema(d, 'ApiKey').properties.last_used_at, { type: 'string' }),
  ],
  [
    'a type for a response field that was always null',
    d =>
      Object.assign(schema(d, 'WebhookTestEvent').properties.previous_status, { type: ['string', 'null'] }),
  ],
  ['a new value of a response field', d => schema(d, 'EntryType').enum.push('hold')],
  [
    'a second currency',
    d => {
      const { currency } = schema(d, 'Balance').properties
      delete currency.const
      currency.enum = ['IDR', 'USD']
    },
  ],
  ['a new type of payment', d => schema(d, 'Payment').oneOf.push({ $ref: '#/components/schemas/Balance' })],
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
    'a changed description and a changed order',
    d => {
      d.info.description = 'Other words'
      schema(d, 'Payment').oneOf.reverse()
      schema(d, 'Balance').required.reverse()
    },
  ],
  [
    'a renamed schema',
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

test.each(additive)('an additive change of the API document is not reported as breaking: %s', (_, plant) => {
  expect(breakingChanges(document, changed(plant))).toEqual([])
})

const node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } }
/**
 * Returns an API document with one operation. The parameter `sent` is the schema of its request body, and
 * `answered` is the schema of its response body.
 */
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
  ['a value of any type becomes a string', 'sent', {}, text, 'now accepts only string'],
  ['a string becomes an enum', 'sent', text, { ...text, enum: ['a', 'b'] }, 'now accepts only "a", "b"'],
  ['a minimum rises', 'sent', { ...whole, minimum: 1 }, { ...whole, minimum: 2 }, 'minimum is now 2 (was 1)'],
  ['a default is removed', 'sent', { ...whole, default: 1 }, whole, 'no longer has a default'],
  ['a number becomes an integer', 'sent', broken, whole, 'no longer accepts number'],
  ['an integer becomes a number', 'answered', whole, broken, 'can now be number (was integer)'],
  ['a string becomes a value of any type', 'answered', text, {}, 'can now be of any type (was string)'],
  ['a list of values is removed', 'answered', { enum: ['a'] }, {}, 'no longer lists its values'],
  [
    "the type of a map's values changes",
    'answered',
    { additionalProperties: text },
    { additionalProperties: whole },
    '{}: can now be integer',
  ],
  ['the values of a map are removed', 'answered', { additionalProperties: text }, {}, '{}: was removed'],
  [
    'one schema becomes a choice of several',
    'answered',
    object({ a: text }),
    { oneOf: [object({ a: text }), text] },
    'is now a choice between several schemas',
  ],
  ['a node can be null', 'answered', ref, { anyOf: [ref, { type: 'null' }] }, 'can now be null (was object)'],
  [
    'a required field in a part of allOf may be absent',
    'answered',
    { allOf: [object({ a: text }), { required: ['a'] }] },
    object({ a: text }),
    'a: may now be absent',
  ],
])('a breaking schema change is reported: %s', (_, direction, before, after, told) => {
  const changes = breakingChanges(small({ [direction]: before }), small({ [direction]: after }))
  expect(changes).toEqual([expect.stringContaining(told)])
})

test.each<Difference>([
  ['an integer becomes a number', 'sent', whole, broken],
  ['a number becomes an integer', 'answered', broken, whole],
  ['a string becomes a value of any type', 'sent', text, {}],
  ['a minimum falls', 'sent', { ...whole, minimum: 2 }, { ...whole, minimum: 1 }],
  ['a limit is removed', 'sent', { ...text, maxLength: 5 }, text],
  ['a default is added', 'sent', whole, { ...whole, default: 1 }],
  ['a node is no longer null', 'answered', { anyOf: [ref, { type: 'null' }] }, ref],
  ['a node can be null', 'sent', ref, { anyOf: [ref, { type: 'null' }] }],
  [
    'null is written in an equivalent form',
    'answered',
    { anyOf: [text, { type: 'null' }] },
    { type: ['string', 'null'] },
  ],
])('a compatible schema change is not reported: %s', (_, direction, before, after) => {
  expect(breakingChanges(small({ [direction]: before }), small({ [direction]: after }))).toEqual([])
})

test('a request body that becomes required is reported as a breaking change', () => {
  const after = small({ sent: text })
  after.paths['/v1/x'].post.requestBody.required = true
  expect(breakingChanges(small({}), after)).toEqual([
    'POST /v1/x: now requires a body; keep the body optional',
  ])
})

test('removing a field of an API schema is reported as a single breaking change', () => {
  const before = small({ answered: object({ a: text }, ['a']) })
  expect(breakingChanges(before, small({ answered: object({}) }))).toEqual([
    expect.stringContaining('a: was removed'),
  ])
})

test('the comparison of API documents for breaking changes ends even if both documents contain a recursive schema', () => {
  const leaf = { ...node, properties: { ...node.properties, name: text } }
  const changes = breakingChanges(small({ answered: ref }, leaf), small({ answered: ref }))
  expect(changes).toEqual([expect.stringContaining('name: was removed')])
})
