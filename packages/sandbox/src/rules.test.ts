import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, charge } from '../test/support/merchant.ts'
import { dokuRules } from './doku/rules.ts'
import { midtransRules } from './midtrans/rules.ts'
import { faultOf, type Rule } from './rules.ts'
import { type RunningSandbox, startSandbox } from './server.ts'
import { headerRules, snapRules, tokenRules } from './snap/rules.ts'
import { tripayRules } from './tripay/rules.ts'
import { xenditRules } from './xendit/rules.ts'

const fault = (rule: Partial<Rule>, body: unknown, headers = {}) =>
  faultOf([{ field: 'a', source: 'test', ...rule }], { headers, body })

describe('validation rules check the fields and headers of each request to a simulated provider', () => {
  test('a missing field violates a validation rule only if the rule marks it as required', () => {
    expect(fault({ required: true }, {})).toEqual({ field: 'a', reason: 'missing' })
    expect(fault({ required: true }, { a: null })).toEqual({ field: 'a', reason: 'missing' })
    expect(fault({ length: [1, 2] }, {})).toBeUndefined()
    expect(fault({ field: 'a.b' }, {})).toBeUndefined()
    expect(fault({ field: 'a.b', required: true }, { a: {} })).toEqual({ field: 'a.b', reason: 'missing' })
  })

  test.each([
    [{ length: [2, 3] as const }, 'ab', 'a'],
    [{ length: [2, 3] as const }, 'abc', 'abcd'],
    [{ pattern: /^\d+$/ }, '12', '1x'],
    [{ oneOf: ['x', 'y'] }, 'x', 'z'],
    [{}, 'text', 1],
    [{ type: 'number' as const }, 1.5, '1.5'],
    [{ type: 'whole number' as const }, 1, 1.5],
    [{ type: 'whole number or digits' as const }, '12', '1.5'],
    [{ type: 'boolean' as const }, false, 'false'],
    [{ type: 'object' as const }, {}, []],
    [{ type: 'list' as const, length: [1, 2] as const }, [1], []],
  ])('the validation rule %j accepts %j and rejects %j', (rule, good, bad) => {
    expect(fault(rule, { a: good })).toBeUndefined()
    expect(fault(rule, { a: bad })).toEqual({ field: 'a', reason: 'invalid' })
  })

  test('a rule for a field in a list applies to each item, and its error names the item', () => {
    const rule = { field: 'a[].b', oneOf: ['x'] }
    expect(fault(rule, { a: [{ b: 'x' }, { b: 'x' }] })).toBeUndefined()
    expect(fault(rule, { a: [{ b: 'x' }, { b: 'y' }] })).toEqual({ field: 'a.1.b', reason: 'invalid' })
  })

  test('header rules ignore the letter case of header names', () => {
    const rule = { field: 'X-One', in: 'header' as const, length: [3, 3] as const }
    expect(fault(rule, { 'X-One': 'abcd' }, { 'x-one': 'abc' })).toBeUndefined()
    expect(fault(rule, {}, { 'x-one': 'ab' })).toEqual({ field: 'X-One', reason: 'invalid' })
  })
})

const tables = Object.entries({
  doku: dokuRules,
  midtrans: midtransRules,
  snap: { ...snapRules, headerRules, tokenRules },
  tripay: tripayRules,
  xendit: xenditRules,
}).flatMap(([provider, calls]) =>
  Object.entries<readonly Rule[]>(calls).map(([call, rules]) => [`${provider} ${call}`, rules] as const),
)
test.each(tables)(
  'every validation rule of %s names its source, which is a library or a documentation page',
  (_, rules) => {
    expect(
      rules.filter(({ source }) => !/Node|Python|Go|Java|PHP|all four|model_|docs /.test(source)),
    ).toEqual([])
  },
)

describe('simulated providers reject HTTP requests that violate their validation rules', () => {
  let sandbox: RunningSandbox
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
  })
  afterAll(() => sandbox.close())
  const post = (path: string, body: unknown, options = {}) => call(sandbox.url + path, body, options)

  test.each([
    ['a number as virtual account number', { bank_transfer: { bank: 'bca', va_number: 123 } }],
    ['text as the GoPay callback flag', { payment_type: 'gopay', gopay: { enable_callback: 'yes' } }],
    ['a number as custom field', { custom_field1: 1 }],
    ['a brand that is not text', { item_details: [{ name: 'a', price: 44_000, quantity: 1, brand: 7 }] }],
  ])('the simulated Midtrans rejects a charge with %s', async (_, over) => {
    const { body } = await post('/midtrans/v2/charge', charge(over))
    expect([body.status_code, body.validation_messages]).toEqual(['400', [expect.stringContaining(' ')]])
  })

  test('Midtrans rejects a charge without a JSON content type', async () => {
    const headers = { 'content-type': 'text/plain' }
    const { body } = await post('/midtrans/v2/charge', charge(), { headers })
    expect(body.validation_messages).toEqual(['Content-Type is invalid'])
  })

  const serverKey = 'xnd_development_rules'
  const account = {
    type: 'VIRTUAL_ACCOUNT',
    reusability: 'ONE_TIME_USE',
    virtual_account: { channel_code: 'BNI', channel_properties: { customer_name: 'Budi' } },
  }
  const asked = { amount: 44_000, currency: 'IDR', payment_method: account }
  test.each([
    ['/payment_requests', { ...asked, reference_id: 7 }, 'body.reference_id'],
    ['/payment_requests', { ...asked, currency: 'SGD' }, 'body.currency'],
    ['/payment_requests', { ...asked, amount: '44000' }, 'body.amount'],
    [
      '/payment_requests',
      { ...asked, payment_method: { ...account, type: 'CHEQUE' } },
      'body.payment_method.type',
    ],
    ['/refunds', { payment_request_id: 'pr-1', reason: 'BECAUSE' }, 'body.reason'],
    ['/refunds', { payment_request_id: 1, reason: 'OTHERS' }, 'body.payment_request_id'],
  ])(
    'the simulated Xendit rejects a request to %s that Xendit’s libraries cannot send: %j',
    async (path, body, field) => {
      const answer = await post(`/xendit${path}`, body, { serverKey })
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, field])
    },
  )
})
