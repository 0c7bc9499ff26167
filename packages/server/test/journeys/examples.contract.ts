// Verifies the examples in the OpenAPI document. Each request is sent as documented, with real values for
// placeholders, and the response must match the documented one.

import { beforeAll, expect, test } from 'vitest'
import type { Meta } from '../../src/api/trpc.ts'
import { appRouter, proceduresOf } from '../../src/router.ts'
import { findLastVerification } from '../../src/verification/verification.sql.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { document, operations } from '../support/contract.ts'
import { http, until } from '../support/merchant.ts'
import { differencesFrom, withReal } from './example-rule.ts'
import { type Scene, scenesOf } from './example-scenes.ts'

type Examples = { example?: unknown; examples?: Record<string, { value: unknown }> }
type Parameter = Examples & {
  name: string
  in: string
  required?: boolean
  schema: { example?: unknown }
  $ref?: string
}
type Documented = {
  operationId: string
  path: string
  method: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Examples> }
  responses: Record<string, { content: Record<string, Examples> }>
}

const documented = operations() as unknown as Documented[]
const { parameters } = (document as unknown as { components: { parameters: Record<string, Parameter> } })
  .components
const metas = new Map(
  proceduresOf(appRouter).map(([, { _def }]) => [_def.meta?.openapi?.operationId, _def.meta]),
)

let service: TestApp
let sceneOf: ReturnType<typeof scenesOf>
beforeAll(async () => {
  service = await testApp()
  // Waits until the first ledger verification has ended. The verification counts all tenants' balances, and this
  // number must equal the documented number. Tests that create tenants must therefore run later.
  await until(
    'the first verification is over',
    async () => (await findLastVerification(service.app.db))?.endedAt ?? undefined,
  )
  sceneOf = scenesOf(service)
})

/**
 * Returns the request, query, or response example with the given name. If the only example has no name, it is
 * returned for every name.
 */
const named = ({ example, examples }: Examples, name: string): unknown => examples?.[name]?.value ?? example

const resolved = (parameter: Parameter): Parameter =>
  parameter.$ref ? (parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter) : parameter

const nameless = 'the request'
const cases = documented.flatMap(operation => {
  const medias = [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...Object.values(operation.responses[200]?.content ?? {}),
  ]
  const inMedias = medias.flatMap(media => Object.keys(media.examples ?? {}))
  const inQuery = (operation.parameters ?? []).flatMap(each => Object.keys(resolved(each).examples ?? {}))
  const names = new Set(inMedias.length > 0 ? inMedias : inQuery)
  return [...(names.size > 0 ? names : [nameless])].map(
    name => [`${operation.operationId}, ${name}`, operation, name] as const,
  )
})

test.each(cases)('%s: the response matches the documented example', async (_, operation, name) => {
  const scene = await sceneOf(operation.operationId)
  const answer = await send(operation, name, scene)
  expect(answer.status, answer.text).toBe(200)
  const media = operation.responses[200]?.content['application/json'] ?? {}
  const example = withReal(named(media, name), scene.real) as never
  expect(differencesFrom(example, JSON.parse(answer.text)), answer.text).toEqual([])
})

test.each(documented.filter(({ responses }) => responses[200]?.content['text/csv']?.example))(
  '$operationId: the CSV response matches the documented example',
  async operation => {
    const scene = await sceneOf(operation.operationId)
    const media = operation.responses[200]?.content ?? {}
    const [name = nameless] = Object.keys(media['application/json']?.examples ?? {})
    const answer = await send(operation, name, scene, 'text/csv')
    const example = withReal(media['text/csv']?.example, scene.real) as never
    expect(differencesFrom(example, answer.text as never)).toEqual([])
  },
)

const queries = documented.flatMap(operation =>
  (operation.parameters ?? [])
    .map(resolved)
    .filter(each => each.in === 'query' && !each.examples && each.schema.example !== undefined)
    .map(each => ({ title: `${operation.operationId}?${each.name}`, operation, parameter: each })),
)

test.each(queries)(
  'the service accepts the documented example of the query parameter $title',
  async ({ operation, parameter }) => {
    const { method, path } = operation
    const { real, auth } = await sceneOf(operation.operationId)
    const filled = (operation.parameters ?? [])
      .map(resolved)
      .reduce((text, { name, schema }) => text.replace(`{${name}}`, String(schema.example)), path)
    const query = new URLSearchParams({ [parameter.name]: String(parameter.schema.example) })
    const answer = await http(method, service.demo.base_url + withReal(`${filled}?${query}`, real), {
      auth: auth[callerOf(metas.get(operation.operationId))],
    })
    expect(answer.status, answer.text).toBe(200)
  },
)

test.each<[string, unknown, unknown]>([
  ['another amount', { amount: 10_000_000 }, { amount: 10_000_001 }],
  ['another string', { status: 'paid' }, { status: 'pending' }],
  ['an additional field', {}, { status: 'paid' }],
  ['a missing field', { status: 'paid' }, {}],
  ['null instead of a time', { paid_at: null }, { paid_at: '2026-11-20T03:04:05Z' }],
  ['an id instead of a time', '01990000-0000-7000-8000-000000000001', '2026-11-20T03:04:05Z'],
  ['a token of another kind', 'gp_test_4fQzL0', 'gp_refresh_4fQzL0'],
  ['an item in a list that is empty in the example', [], [1]],
  ['a shorter list', [1, 2], [1]],
  ['another item', [{ a: 1 }], [{ a: 2 }, { a: 1 }]],
  ['another value in JSON text', '{"a":1}', '{"a":2}'],
  ['another callback URL', 'https://shop.example.com/hooks/gapura', 'https://shop.example.com/'],
])('a response does not match its documented example if the response has %s', (_, example, answer) => {
  expect(differencesFrom(example as never, answer as never)).toHaveLength(1)
})

test('an example matches a response that differs only in values such as IDs and times', () => {
  const one = {
    id: '01990000-0000-7000-8000-000000000001',
    at: '2026-11-20T03:04:05.678Z',
    reason: 'payment GP261120-7Q4M2ZK8XW received',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    va_number: '812785002530231',
    duration_ms: 38,
    items: [1],
    next_cursor: null,
  }
  const other = {
    id: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b',
    at: '2027-01-01T00:00:00Z',
    reason: 'payment GP270101-ABCDEFGH12 received',
    secret: 'whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    va_number: '8808123456789',
    duration_ms: 4,
    items: [1, 2],
    next_cursor: 'MDE5OTAwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAy',
  }
  expect(differencesFrom(one, other)).toEqual([])
})

function send(operation: Documented, name: string, scene: Scene, accept?: string) {
  const given = (operation.parameters ?? []).map(resolved)
  const values = (place: string) =>
    given
      // Leaves out an optional query parameter if it has no example called `name`. The example in the parameter's
      // schema only shows the format of the value.
      .filter(each => each.in === place && (each.required || each.examples?.[name]))
      .map(each => [each.name, named(each, name) ?? each.schema.example] as [string, string])
  const path = values('path').reduce((text, [key, value]) => text.replace(`{${key}}`, value), operation.path)
  const query = new URLSearchParams(values('query'))
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  const body = media && withReal(named(media, name), scene.real)
  return http(
    operation.method,
    service.demo.base_url + withReal(`${path}${query.size > 0 ? `?${query}` : ''}`, scene.real),
    {
      auth: scene.auth[callerOf(metas.get(operation.operationId))],
      ...(body !== undefined && { raw: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: {
        ...Object.fromEntries(values('header')),
        ...(type && { 'content-type': type }),
        ...(accept && { accept }),
      },
    },
  )
}

/**
 * Returns the caller whose credential the request uses: the API key if the operation allows it, otherwise the
 * merchant's user if the operation allows it, otherwise the Owner (the operator).
 */
function callerOf(meta: Meta | undefined): keyof Scene['auth'] {
  if (meta?.access === 'api_key' || meta?.access === 'tenant') return 'key'
  const roles = meta?.roles ?? []
  return roles.length === 0 || roles.includes('client') ? 'user' : 'owner'
}
