import { TRPCError } from '@trpc/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gatewayErrorOf } from '../api/trpc.ts'
import { feeScheduleInput } from '../fees/fee-schedule-input.ts'
import { month } from '../fees/fee-statement.ts'
import { appRouter, proceduresOf } from '../router.ts'

const messageOf = (schema: z.ZodType, input: unknown): string | undefined => {
  const { error } = schema.safeParse(input)
  return error && gatewayErrorOf(new TRPCError({ code: 'BAD_REQUEST', cause: error })).message
}

test.each([
  [z.string(), undefined, 'is required'],
  [z.enum(['a', 'b']), undefined, 'is required'],
  [z.string(), 1, 'must be a string'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(8), 'x', 'must be at least 8 characters'],
  [z.string().max(1), 'xx', 'must be at most 1 character'],
  [z.int(), '1', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.int().min(2), 1, 'must be at least 2'],
  [z.number().positive(), 0, 'must be greater than 0'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.int()).max(2), [1, 2, 3], 'must have at most 2 items'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.literal('a'), 'c', 'must be a'],
  [z.uuid(), 'x', 'must be a UUID'],
  [z.guid(), 'x', 'must be a UUID'],
  [z.iso.datetime(), 'x', 'must be an ISO 8601 time with its zone'],
  [month, '2026-13', 'must be a month, YYYY-MM'],
  [z.int().max(10), 1e300, 'must be at most 10'],
  [z.int().min(1), -1e300, 'must be at least 1'],
])(
  'a value that violates a rule is rejected with an error that describes this rule (example %#)',
  (schema, input, rule) => {
    expect(messageOf(z.object({ field: schema }), { field: input })).toBe(`bad request: field: ${rule}`)
  },
)

test.each([
  [{}, 'is required'],
  [{ type: 'c' }, 'must be one of a, b'],
  [{ type: null }, 'must be one of a, b'],
])(
  'if an input has variants and the field that selects one is missing or invalid (%j), the error names this field and the violated rule',
  (field, rule) => {
    const choice = z.discriminatedUnion('type', [
      z.object({ type: z.literal('a') }),
      z.object({ type: z.literal('b') }),
    ])
    expect(messageOf(z.object({ field: choice }), { field })).toBe(`bad request: field.type: ${rule}`)
  },
)

test('the error for a maximum fee below the minimum fee names both fields of the fee rule', () =>
  expect(messageOf(feeScheduleInput, { rules: [{ min: 5, max: 4 }] })).toBe(
    'bad request: rules.0.max: must not be below min',
  ))

/**
 * Values of every JSON type, including values that exceed a limit or break a format. The tests insert them into
 * valid inputs.
 */
const wrong = [
  ...[undefined, null, true, -1, 0, 1.5, 1e300, Number.NaN, '', ' ', 'x', 'x'.repeat(70_000), '\0', '{}'],
  ...[[], [null], [{}], Array(1_000).fill({}), {}, { type: 'x' }, { x: { x: 1 } }],
]

/** Returns copies of the schema's example. In each copy, one property (at any depth) is replaced with `value`. */
function spoilt(schema: z.ZodType, value: unknown): unknown[] {
  if (!(schema instanceof z.ZodObject)) return [value]
  const shape = schema.shape as Record<string, z.ZodType>
  const names = Object.keys(shape)
  const good = Object.fromEntries(names.map(name => [name, sampleOf(shape[name] as z.ZodType)]))
  return [
    value,
    ...names.flatMap(name =>
      spoilt(shape[name] as z.ZodType, value).map(each => ({ ...good, [name]: each })),
    ),
  ]
}

/**
 * Returns the schema's example, which is a valid input. A test replaces one property of the example with an
 * invalid value, so that only this property is invalid.
 */
const sampleOf = (schema: z.ZodType): unknown => (schema.meta() as { example?: unknown } | undefined)?.example

const inputs = proceduresOf(appRouter).flatMap(([name, { _def }]) =>
  (_def.inputs as z.ZodType[]).map(input => [name, input] as const),
)

test.each(inputs)('the input schema of the API procedure %s accepts unknown fields', (_, input) =>
  expect(JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))).not.toContain(
    '"additionalProperties":false',
  ),
)

describe("error messages for invalid tRPC input are this project's own messages, not zod's", () => {
  test('the tests of input errors cover more than 50 procedures', () =>
    expect(inputs.length).toBeGreaterThan(50))

  test.each(inputs)(
    'no input error of the API procedure %s contains a default message of the zod library',
    (_, input) => {
      const messages = wrong.flatMap(value => spoilt(input, value).map(each => messageOf(input, each)))
      const said = new Set(messages.filter(message => message !== undefined))
      for (const message of said)
        expect(message).not.toMatch(
          /Invalid|expected |, received |Too (big|small)|Unrecognized|has a format that/,
        )
    },
  )
})
