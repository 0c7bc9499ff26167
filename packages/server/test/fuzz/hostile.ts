// Strings that often break programs, such as text that databases cannot store, ambiguous syntax, and very long
// text.

import fc from 'fast-check'
import { anyText } from '../support/any-text.ts'

/** Strings that are valid in JSON but that PostgreSQL cannot store. */
export const unstorableText: fc.Arbitrary<string> = fc.constantFrom(
  '\0',
  'a\0b',
  '\ud83d',
  'a\udc00b',
  'x\ud83d',
)

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u202eevil',
    '\ufeff',
    '\u0085',
    'İıſK',
    'é'.normalize('NFD'),
    '👩‍👩‍👧‍👦',
    "' or 1=1; --",
    '"}]}',
    '<script>alert(1)</script>',
    '{{7*7}}',
    '../../../../etc/passwd',
    '%00%0a%0d',
    'a\r\nX-Injected: 1',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
  ),
  fc.constantFrom(
    ...['a', 'é', '👍', '9'].flatMap(one => [254, 255, 256, 2_049, 70_000].map(n => one.repeat(n))),
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  anyText({ maxLength: 30 }),
)

/**
 * Strings for fuzz tests. They look like a number, a date or an ID, but are invalid or at the limit of the
 * type.
 */
export const hostileWord: fc.Arbitrary<string> = fc.constantFrom(
  '0',
  '-1',
  '1e3',
  '1.5',
  '0x10',
  ' 7 ',
  '٣',
  'NaN',
  'Infinity',
  '9007199254740993',
  '99999999999999999999',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '+275760-09-13',
  '-000001-01-01T00:00:00Z',
  '2026-11-20T25:00:00Z',
  '2026-11-20T00:00:00+99:99',
  '2026-11-20T00:00:00',
  '20261120',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01990000-0000-7000-8000-00000000000g',
  '{01990000-0000-7000-8000-000000000001}',
)

export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    -1,
    -0,
    0.5,
    1e21,
    1e308,
    5e-324,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
    100_000_000_000_001,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
