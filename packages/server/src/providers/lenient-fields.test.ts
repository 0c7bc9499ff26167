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
])(
  'an optional text field with the value %j is parsed as %j (undefined if the value is invalid)',
  (value, read) => {
    expect(parseText(value)).toBe(read)
  },
)

describe('a required text field with an invalid value makes a message unreadable', () => {
  test.each<[unknown, string]>([
    [undefined, 'missing'],
    [null, 'null'],
    [['A1'], 'a list'],
    [{ value: 'A1' }, 'an object'],
    [true, 'true'],
    ['a b', '"a b"'],
  ])(
    'if a required field has the value %j, the error names the field and describes the value as %s',
    (value, name) => {
      const message = z.looseObject({ order: z.looseObject({ id: requiredId }) })
      expect(() => readMessage(message, { order: { id: value } })).toThrow(
        new UnreadableError(`order.id cannot be read: it is ${name}`),
      )
    },
  )

  test("if a provider's message is not an object, the error reports that the message cannot be read", () => {
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
  ])(
    "an optional status in a provider's message is read as text, or as null if it is missing or blank: %j becomes %j",
    (value, read) => {
      expect(parseWord('status', value)).toBe(read)
    },
  )

  test.each([{}, [], true, -1])(
    'a provider’s message with the invalid optional status %j is unreadable, because an invalid status must not count as missing',
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
])(
  "an adapter reads only the objects in a provider's list and ignores its other entries: %j becomes %j",
  (value, entries) => {
    expect(objectList({ name: optionalText }).parse(value)).toEqual(entries)
  },
)
