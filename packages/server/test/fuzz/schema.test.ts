// Checks the fuzz run's request generators against an independent implementation of JSON Schema: ajv.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointerTo, validatorAt } from '../support/contract.ts'
import { nearlyValid, placesOf } from './mutation.ts'
import { lookup, operations } from './operations.ts'
import { validOf } from './schema.ts'

const bodies = operations.flatMap(({ operationId, method, path, body }) =>
  body?.type === 'application/json' ? [{ operationId, method, path, schema: body.schema }] : [],
)

describe.each(bodies)('of $operationId', ({ method, path, schema }) => {
  const isAllowed = validatorAt(
    pointerTo('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'),
  )

  test('each valid body is one that the document allows', () => {
    fc.assert(fc.property(validOf(schema, { lookup }), body => isAllowed(body)))
  })

  test('a mutation leaves the body that it is made of as it was', () => {
    const mutated = validOf(schema, { lookup }).chain(body =>
      nearlyValid(body, schema, lookup).map(({ value }) => ({ body, value, before: JSON.stringify(body) })),
    )
    fc.assert(
      fc.property(mutated, ({ body, value, before }) => {
        expect(value).not.toBe(body)
        expect(JSON.stringify(body)).toBe(before)
      }),
    )
  })

  // A body without properties allows every object, so too few mutations would be invalid.
  test.skipIf(placesOf({}, schema, lookup).length < 2)('many mutations are what the document forbids', () => {
    const mutated = validOf(schema, { lookup }).chain(body => nearlyValid(body, schema, lookup))
    const forbidden = fc.sample(mutated, { numRuns: 300, seed: 1 }).filter(({ value }) => !isAllowed(value))
    expect(forbidden.length).toBeGreaterThan(50)
  })
})

test('a word of a schema that is not understood is told, and not passed over', () => {
  expect(() => validOf({ type: 'integer', multipleOf: 100 } as object, { lookup })).toThrow('multipleOf')
  expect(() => validOf({ type: 'string', format: 'hostname' }, { lookup })).toThrow('hostname')
})
