import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  objectList,
  optionalText,
  parseText,
  parseWord,
  readMessage,
  requiredId,
  requiredWord,
  UnreadableError,
} from './lenient-fields.ts'

test.each<[unknown, string | undefined]>([
  [' A1 ', 'A1'],
  [64775, '64775'],
  [0, '0'],
  [-1, undefined],
  [1.5, undefined],
  [2 ** 53, undefined],
  ['', undefined],
  ['  ', undefined],
  ['a\0b', undefined],
  ['a\ud83d', undefined],
  [null, undefined],
  [true, undefined],
  [{}, undefined],
])('an optional text field with the value %j is read as %j', (value, read) => {
  expect(parseText(value)).toBe(read)
})

describe('a required text field with an invalid value makes a message unreadable', () => {
  test.each<[unknown, string]>([
    [undefined, 'missing'],
    [null, 'null'],
    [['A1'], 'a list'],
    [{ value: 'A1' }, 'an object'],
    [true, 'true'],
    ['a b', '"a b"'],
  ])(
    'a required field with the value %j is named in the error, which describes the value as %s',
    (value, name) => {
      const message = z.looseObject({ order: z.looseObject({ id: requiredId }) })
      expect(() => readMessage(message, { order: { id: value } })).toThrow(
        new UnreadableError(`order.id cannot be read: it is ${name}`),
      )
    },
  )

  test("if a provider's message is not an object, the error names the whole message", () => {
    expect(() => readMessage(z.looseObject({ status: requiredWord }), 7)).toThrow(
      /^the message cannot be read: /,
    )
  })
})

describe('an optional status may be missing, but an invalid one makes the message unreadable', () => {
  test.each<[unknown, string | null]>([
    ['00', '00'],
    [0, '0'],
    [undefined, null],
    [null, null],
    [' ', null],
  ])('the optional status %j is read as %j', (value, read) => {
    expect(parseWord('status', value)).toBe(read)
  })

  test.each([{}, [], true, -1])(
    'a provider’s message is unreadable if its optional status is %j, because an invalid status must not count as a missing one',
    value => {
      expect(() => parseWord('status', value)).toThrow(UnreadableError)
    },
  )
})

test.each<[unknown, object[]]>([
  [
    [{ name: ' A ' }, { name: null }],
    [{ name: 'A' }, {}],
  ],
  [['A', null, 7, { name: 'B' }], [{ name: 'B' }]],
  [undefined, []],
  [null, []],
  [{ name: 'A' }, []],
])('only the objects in the list %j are read: %j', (value, entries) => {
  expect(objectList({ name: optionalText }).parse(value)).toEqual(entries)
})
