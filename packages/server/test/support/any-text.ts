// Generates random text with any Unicode code points, as test input.

import fc, { type StringConstraints } from 'fast-check'

const codePoint = (min: number, max: number) =>
  fc.integer({ min, max }).map(
    code => String.fromCodePoint(code),
    text => (text as string).codePointAt(0) as number,
  )

/**
 * Generates one code point, but never half of a surrogate pair. Fast-check's built-in unit `binary` does the same, but
 * first builds a table of all code points. Building this table takes more than a second and slows down every garbage
 * collection.
 */
const unit = fc.oneof(codePoint(0, 0xd7ff), codePoint(0xe000, 0x10ffff))

export const anyText = (limits: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit })
