// Checks the request body generators against ajv, an independent implementation of JSON Schema.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointerTo, validatorAt } from '../support/contract.ts'
import { nearlyValid, placesOf } from './mutation.ts'
import { lookup, operations } from './operations.ts'
import { validOf } from './schema.ts'

const bodies = operations.flatMap(({ operationId, method, path, body }) =>
  body?.type === 'application/json' ? [{ operationId, method, path, schema: body.schema }] : [],
)

describe.each(bodies)(
  'the fuzz tests can generate and mutate request bodies for the operation $operationId',
  ({ method, path, schema }) => {
    const isAllowed = validatorAt(
      pointerTo('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'),
    )

    test('the API document allows every request body that the generator marks as valid', () => {
      fc.assert(fc.property(validOf(schema, { lookup }), body => isAllowed(body)))
    })

    test('mutating a request body creates a changed copy and leaves the original body unchanged', () => {
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

    // Body schemas without properties are skipped here, because they allow any object, so that hardly any changed body
    // would violate them.
    test.skipIf(placesOf({}, schema, lookup).length < 2)(
      'more than 30 of 300 randomly changed request bodies violate the API document, so the fuzz test also sends invalid requests',
      () => {
        const mutated = validOf(schema, { lookup }).chain(body => nearlyValid(body, schema, lookup))
        const forbidden = fc
          .sample(mutated, { numRuns: 300, seed: 1 })
          .filter(({ value }) => !isAllowed(value))
        expect(forbidden.length).toBeGreaterThan(30)
      },
    )
  },
)

test('the request body generator throws an error if a schema contains an unknown keyword or format', () => {
  expect(() => validOf({ type: 'integer', multipleOf: 100 } as object, { lookup })).toThrow('multipleOf')
  expect(() => validOf({ type: 'string', format: 'hostname' }, { lookup })).toThrow('hostname')
})
