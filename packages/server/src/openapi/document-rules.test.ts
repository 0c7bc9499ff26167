// Checks that the API document forbids what the service rejects and allows what it accepts. The generator cannot
// derive some rules from our zod schemas, so these rules are declared again in `meta`, and the two declarations could
// differ.

import { expect, test } from 'vitest'
import { document, operations, pointerTo, validatorAt } from '../../test/support/contract.ts'

type Case = { schema: string; refused: unknown[]; taken: unknown[] }

const bodyOf = (name: string, field: string) => pointerTo('components', 'schemas', name, 'properties', field)

function queryOf(path: string, name: string): string {
  type Parameter = { name?: string; $ref?: string }
  const { parameters = [] } = (document.paths[path]?.get ?? {}) as { parameters?: Parameter[] }
  const shared = Object.entries(document.components.parameters)
    .filter(([key, each]) => each.name === name && parameters.some(({ $ref }) => $ref?.endsWith(`/${key}`)))
    .map(([key]) => pointerTo('components', 'parameters', key, 'schema'))
  if (shared[0]) return shared[0]
  const index = parameters.findIndex(each => each.name === name)
  return pointerTo('paths', path, 'get', 'parameters', index, 'schema')
}

const blank = { refused: ['', ' ', '\t\n'], taken: ['Budi', ' Budi '] }
const moment = {
  refused: ['today', '2026-02-30', '2026-11-20T00:00:00', '20261120'],
  taken: ['2026-11-20', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00.5+07:00'],
}
const url = {
  refused: ['shop', '0', 'a b'],
  taken: ['https://shop.example.com/hook', ' HTTPS://Shop.example.com/ '],
}
const email = {
  refused: ['budi', 'budi@', '@example.com'],
  taken: ['budi@example.com', ' Budi@Example.com '],
}

const cases: Case[] = [
  { schema: bodyOf('CreateTenantBody', 'name'), ...blank },
  { schema: bodyOf('UpdateTenantBody', 'name'), ...blank },
  { schema: bodyOf('CreateApiKeyBody', 'name'), ...blank },
  { schema: bodyOf('CreateProviderAccountBody', 'name'), ...blank },
  { schema: bodyOf('LoginBody', 'email'), ...blank },
  { schema: bodyOf('ResolvePaymentBody', 'reason'), ...blank },
  { schema: bodyOf('AcceptUnexpectedMoneyBody', 'reason'), ...blank },
  { schema: bodyOf('ResolveUnknownPaymentBody', 'reason'), ...blank },
  { schema: bodyOf('RoutingRuleInput', 'channel'), refused: ['', ' '], taken: ['bca', null] },
  { schema: bodyOf('VirtualAccountDetail', 'bank'), ...blank },
  { schema: bodyOf('CreateUserBody', 'email'), ...email },
  {
    schema: bodyOf('CreateQrisPayment', 'customer_email'),
    refused: email.refused,
    taken: [...email.taken, ''],
  },
  { schema: bodyOf('SetWebhookBody', 'callback_url'), refused: url.refused, taken: [...url.taken, null] },
  {
    schema: bodyOf('CreateProviderAccountBody', 'base_url'),
    refused: url.refused,
    taken: [...url.taken, null],
  },
  { schema: queryOf('/v1/payments', 'from'), ...moment },
  { schema: queryOf('/v1/payments', 'to'), ...moment },
  { schema: queryOf('/v1/audit-log', 'from'), ...moment },
  {
    schema: queryOf('/v1/reports/payments', 'group_by'),
    refused: ['days', 'day;mode'],
    taken: ['day,mode', ''],
  },
  {
    schema: queryOf('/v1/provider-callbacks', 'payment_id'),
    refused: ['1', 'GP1'],
    taken: ['gp261120-7q4m2zk8xw', '01990000-0000-7000-8000-000000000001'],
  },
]

test.each(cases)(
  'the API document’s schema $schema forbids the values that the service rejects and allows the values that the service accepts',
  ({ schema, refused, taken }) => {
    const validator = validatorAt(schema)
    expect(refused.filter(value => validator(value))).toEqual([])
    expect(taken.filter(value => !validator(value))).toEqual([])
  },
)

test('the API document states that the operation for test-mode events accepts only test API keys', () => {
  const operation: unknown = document.paths['/v1/account/webhook/events']?.get
  expect(operation).toMatchObject({
    description: expect.stringContaining('**Who can call it:** a test API key'),
  })
})

test('the description of `mode` in operations for users only does not mention API keys', () => {
  type Described = { parameters?: { name?: string; description?: string }[] }
  const forUsers = operations().filter(({ security }) => !security.some(each => 'ApiKeyAuth' in each))
  const modes = forUsers.flatMap(operation =>
    ((operation as Described).parameters ?? []).filter(({ name }) => name === 'mode'),
  )
  expect(modes.length).toBeGreaterThan(10)
  for (const { description } of modes) expect(description).not.toContain('API key')
})
