// Tests that the OpenAPI document describes what each filter matches, and whether a period includes its end.

import { expect, test } from 'vitest'
import { document, operations } from './support/contract.ts'

type Parameter = {
  name: string
  in: string
  description?: string
  schema: { type?: string; format?: string }
}
type Shared = { components: { parameters: Record<string, Parameter> } }

const { parameters: shared } = (document as unknown as Shared).components
const resolved = (each: Parameter | { $ref: string }): Parameter =>
  '$ref' in each ? (shared[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each

const queries = (
  operations() as unknown as { operationId: string; parameters?: (Parameter | { $ref: string })[] }[]
).flatMap(({ operationId, parameters = [] }) =>
  parameters
    .map(resolved)
    .filter(each => each.in === 'query')
    .map(each => [operationId, each.name, each] as const),
)

/**
 * Query parameters that are not filters. Most of them select a period, the number or order of items, or the
 * response format.
 */
const others = new Set([
  ...[
    'limit',
    'cursor',
    'wait_seconds',
    'group_by',
    'source',
    'from',
    'to',
    'date',
    'style',
    'count',
    'order',
  ],
  // A route preview's parameters are not filters, because they describe a payment that does not exist yet.
  ...['previewRoute mode', 'previewRoute method_type', 'previewRoute channel', 'previewRoute amount'],
  // A fee preview's parameters are not filters, because they describe a payment that does not exist yet.
  ...['previewOwnFee', 'previewTenantFee'].flatMap(operation =>
    ['method_type', 'channel', 'amount'].map(name => `${operation} ${name}`),
  ),
  ...['getOwnFeeStatement', 'getTenantFeeStatement'].flatMap(operation => [
    `${operation} mode`,
    `${operation} month`,
  ]),
  ...['getBalance mode', 'listLedger mode', 'getLedgerSeal mode'],
])

test('every query parameter in the API document has a description', () => {
  expect(queries.length).toBeGreaterThan(50)
  expect(queries.filter(([, , { description = '' }]) => description.length < 10)).toEqual([])
})

test('descriptions of period parameters state the time zone and whether the endpoints are inclusive', () => {
  const bounds = queries.filter(([, name]) => ['from', 'to', 'date'].includes(name))
  expect(bounds.length).toBeGreaterThan(5)
  for (const [operationId, name, { description }] of bounds)
    expect([operationId, name, description]).toEqual([
      operationId,
      name,
      expect.stringMatching(/\((in|ex)clusive\).*Asia\/Jakarta/),
    ])
})

test("every filter parameter's description states what the filter matches and, for free text, how it matches", () => {
  const filters = queries.filter(
    ([operationId, name]) => !others.has(name) && !others.has(`${operationId} ${name}`),
  )
  expect(filters.length).toBeGreaterThan(10)
  for (const [operationId, name, { description, schema }] of filters) {
    expect([operationId, name, description]).toEqual([operationId, name, expect.stringMatching(/\bonly\b/i)])
    if (schema.type === 'string' && schema.format === undefined && !('enum' in schema))
      expect([operationId, name, description]).toEqual([
        operationId,
        name,
        expect.stringMatching(/\b(exact|exactly|contains|begin\w*)\b/),
      ])
  }
})
