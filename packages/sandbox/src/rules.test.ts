import { describe, expect, test } from 'vitest'
import { dokuRules } from './doku/rules.ts'
import { faultOf, type Rule } from './rules.ts'

const fault = (rule: Partial<Rule>, body: unknown, headers = {}) =>
  faultOf([{ field: 'a', source: 'test', ...rule }], { headers, body })

describe('a rule', () => {
  test('is broken by the absence of a required field alone', () => {
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
    [{ type: 'boolean' as const }, false, 'false'],
    [{ type: 'object' as const }, {}, []],
    [{ type: 'list' as const, length: [1, 2] as const }, [1], []],
  ])('%j takes %j and not %j', (rule, good, bad) => {
    expect(fault(rule, { a: good })).toBeUndefined()
    expect(fault(rule, { a: bad })).toEqual({ field: 'a', reason: 'invalid' })
  })

  test('holds for each item of a list, and names the item that breaks it', () => {
    const rule = { field: 'a[].b', oneOf: ['x'] }
    expect(fault(rule, { a: [{ b: 'x' }, { b: 'x' }] })).toBeUndefined()
    expect(fault(rule, { a: [{ b: 'x' }, { b: 'y' }] })).toEqual({ field: 'a.1.b', reason: 'invalid' })
  })

  test('of a header is about the header, in any case', () => {
    const rule = { field: 'X-One', in: 'header' as const, length: [3, 3] as const }
    expect(fault(rule, { 'X-One': 'abcd' }, { 'x-one': 'abc' })).toBeUndefined()
    expect(fault(rule, {}, { 'x-one': 'ab' })).toEqual({ field: 'X-One', reason: 'invalid' })
  })
})

test.each(Object.entries(dokuRules))('every rule of DOKU’s %s names its source', (_, rules) => {
  expect(rules.filter(({ source }) => source.length < 4)).toEqual([])
})
