import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { randomRuns } from '../../test/support/random-runs.ts'
import { parseJson } from './json.ts'

const refusalOf = (text: string): string | undefined => {
  try {
    parseJson(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
const twice = (key: string) => `bad request: body: has an object with the key ${key} twice`

test('for JSON without duplicate keys, parseJson returns the same value as JSON.parse', () => {
  const spaced = fc.constantFrom(undefined, 1, '\t')
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), spaced, (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: randomRuns(2_000) },
  )
})

test('JSON that contains an object with a duplicate key at any depth is rejected', () => {
  const key = anyText()
  const around = fc.constantFrom(
    (text: string) => text,
    (text: string) => `[1,"}",${text}]`,
    (text: string) => `{"a\\"b":"{","c":${text}}`,
  )
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }), around, (object, wrap) => {
      const members = Object.entries(object).map(
        ([name, value]) => `${JSON.stringify(name)} : ${JSON.stringify(value)}`,
      )
      expect(refusalOf(wrap(`{${members.join(',')}}`))).toBeUndefined()
      expect(refusalOf(wrap(`{${[...members, members[0]].join(',')}}`))).toMatch(
        /has an object with the key .* twice$/s,
      )
    }),
    { numRuns: randomRuns(2_000) },
  )
})

describe('the error for a duplicate key in JSON text contains the key', () => {
  test.each([
    ['{"amount":1,"amount":2}', '"amount"'],
    ['{"amount":1,"amo\\u0075nt":2}', '"amount"'],
    ['{"a":{"b":[{"c":1,"d":{},"c":1}]}}', '"c"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
    ['{"":1,"":2}', '""'],
    ['{"\\\\":1,"\\\\":2}', '"\\\\"'],
    ['{"a\\"":1 , "a\\"" :2}', '"a\\""'],
    [`{"${'x'.repeat(100)}":1,"${'x'.repeat(100)}":2}`, `"${'x'.repeat(64)}…"`],
  ])('the error for the JSON text %s names the duplicate key %s', (text, key) => {
    expect(refusalOf(text)).toBe(twice(key))
  })
})

test.each([
  '{"a":"a","b":"a"}',
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":2}]',
  '{"a":"\\",\\"a\\":1","b":"\\\\"}',
  '{"a":1,"A":2}',
])('JSON text that only seems to contain a duplicate key is accepted: %s', text => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each(['{', '[', '{"a":', '[{"a":'])(
  'a nested JSON body that starts with %s… is accepted with 32 levels, the maximum, and rejected with 34 levels',
  opening => {
    const levels = (opening.match(/[[{]/g) ?? []).length
    const closing = { '{': '}', '[': ']', '{"a":': '}', '[{"a":': '}]' }[opening] as string
    const nested = (depth: number) => {
      const times = depth / levels
      return opening === '{'
        ? '{"a":'.repeat(times) + 1 + '}'.repeat(times)
        : opening.repeat(times) + (opening.endsWith('[') ? '' : 1) + closing.repeat(times)
    }
    expect(refusalOf(nested(32))).toBeUndefined()
    expect(refusalOf(nested(34))).toBe('bad request: body: is nested deeper than 32 levels')
  },
)

test('a JSON body with 100,000 nested levels is rejected without a stack overflow', () => {
  for (const text of ['['.repeat(1e5) + ']'.repeat(1e5), '{"a":'.repeat(1e5) + 1 + '}'.repeat(1e5)])
    expect(refusalOf(text)).toBe('bad request: body: is nested deeper than 32 levels')
  expect(refusalOf('['.repeat(1e5))).toBe('bad request: body: is not valid JSON')
})
