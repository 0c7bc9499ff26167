import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { furthest, ruleOf } from '../values/input-rules.ts'
import { type FaultId, faults } from './catalogue.ts'
import { kindOf, statusOf } from './errors.ts'
import { fault } from './fault.ts'
import { rule } from './rule.ts'

test('an error has the HTTP status and message text that belong to its error code', () => {
  for (const id of Object.keys(faults) as FaultId[]) {
    if (id === 'access_token_invalid') continue
    const anything = new Proxy({}, { get: () => [] })
    const { code } = faults[id]
    const error = fault(id, anything)
    expect(error).toMatchObject({ code, status: statusOf(code), fault: id })
    expect(error.message.startsWith(`${kindOf(code)}${code === 'PROVIDER_ERROR' ? ' [' : ': '}`)).toBe(true)
  }
})

test('an error created by the function fault contains the passed parameters, field, cause and retry delay', () => {
  const cause = new Error('connection refused')
  expect(fault('storage_full', {}, { retryAfterSeconds: 5, cause })).toMatchObject({
    ...{ name: 'GatewayError', cause, retryAfterSeconds: 5, params: {}, field: undefined },
  })
  expect(fault('email_in_use', { email: 'a@b.c' }, { field: 'email' })).toMatchObject({
    ...{ params: { email: 'a@b.c' }, field: 'email', retryAfterSeconds: undefined },
  })
})

test.each([
  [fault('access_token_invalid'), 'Invalid JWT token'],
  [fault('payment_not_found', { id: 'p-1' }), 'not found: payment p-1 not found'],
  [
    fault('provider_refused', { provider: 'midtrans', reason: 'no such bank' }),
    'provider error [midtrans]: no such bank',
  ],
  [
    fault('provider_refused', { provider: 'xendit', reason: 'OVO needs it' }, { field: 'customer_phone' }),
    'provider error [xendit]: customer_phone: OVO needs it',
  ],
  [fault('amount_not_positive', {}, { field: 'amount' }), 'bad request: amount: must be greater than zero'],
  [
    fault('transition_refused', { from: 'paid', to: 'cancelled' }),
    'invalid state transition: from paid to cancelled',
  ],
  [
    fault('idempotency_key_reused'),
    'idempotency conflict: this X-Idempotency-Key was used with a different body',
  ],
  [fault('login_delayed', { seconds: 840 }), 'rate limited: too many failed logins; try again in 14 minutes'],
  [fault('login_delayed', { seconds: 1 }), 'rate limited: too many failed logins; try again in 1 second'],
  [
    fault('rate_exceeded', { credential: 'key', perSecond: 50 }),
    'rate limited: this key may send 50 requests a second; slow down',
  ],
  [
    fault('channel_not_enabled', { channel: 'xyz', method: 'virtual_account', available: ['bca', 'bni'] }),
    'bad request: xyz is not enabled for this tenant; available: bca, bni',
  ],
  [fault('body_not_json', {}, { field: 'body' }), 'bad request: body: is not valid JSON'],
  [fault('body_too_large', { kib: 256 }), 'payload too large: the body exceeds 256 KiB'],
])('the error message in REST responses keeps its documented format: %s', ({ message }, known) => {
  expect(message).toBe(known)
})

describe('if a value is invalid, the validation error describes the rule that the value violates', () => {
  const brokenBy = (schema: z.ZodType, input: unknown) => {
    const issue = furthest(schema.safeParse(input).error?.issues[0] as z.core.$ZodIssue)
    return { ...ruleOf(issue), field: issue.path.join('.') }
  }

  test.each([
    [z.string(), undefined, 'required', {}],
    [z.string().min(1), '', 'empty', {}],
    [z.string().max(2), 'abc', 'characters_too_many', { max: 2 }],
    [z.int().min(10), 9, 'number_too_small', { min: 10 }],
    [z.array(z.int()).max(1), [1, 2], 'items_too_many', { max: 1 }],
    [z.enum(['a', 'b']), 'c', 'value_not_listed', { values: ['a', 'b'] }],
    [z.email(), 'x', 'format_wrong', { format: 'email' }],
    [
      z.string().min(3, rule('reason_needed', { keptWith: 'payment' })),
      '',
      'reason_needed',
      { keptWith: 'payment' },
    ],
    [z.string('in its own words'), 1, 'input_invalid', { what: 'in its own words' }],
  ])(
    'a validation error contains the ID and the parameters of the violated rule (case %#)',
    (schema, input, id, params) => {
      expect(brokenBy(z.object({ it: schema }), { it: input })).toEqual({ id, params, field: 'it' })
    },
  )

  test('if a value matches no alternative of a union, the error describes the closest alternative', () => {
    const deep = z.object({ a: z.object({ b: z.int() }) })
    const shallow = z.object({ c: z.string() })
    expect(brokenBy(z.union([deep, shallow]), { a: { b: 'x' } })).toMatchObject({
      ...{ id: 'type_wrong', field: 'a.b' },
    })
    expect(brokenBy(z.union([shallow, deep]), { a: { b: 'x' } })).toMatchObject({ field: 'a.b' })
  })

  test("an error that a Zod union defines is reported instead of its alternatives' errors", () => {
    const ip = z.union([z.ipv4(), z.ipv6()], rule('format_wrong', { format: 'ip' }))
    expect(brokenBy(ip, 'x')).toMatchObject({ id: 'format_wrong', params: { format: 'ip' } })
  })
})
