import { expect, test } from 'vitest'
import { dayOfTyped, typedOfDay } from './typed-day.ts'

test.each([
  ['26/11/2026', '2026-11-26'],
  ['1/2/2026', '2026-02-01'],
  ['01-02-2026', '2026-02-01'],
  [' 1.2.2026 ', '2026-02-01'],
  ['2026-11-26', '2026-11-26'],
])('a typed date is read with the day first: %s', (typed, day) => expect(dayOfTyped(typed)).toBe(day))

test.each(['', '26/11', '31/02/2026', '11/26/2026', 'tomorrow'])(
  'the dashboard rejects the typed text %j because it is not a valid date',
  typed => expect(dayOfTyped(typed)).toBeUndefined(),
)

test('a date is shown in the same format in which users type it', () =>
  expect(typedOfDay('2026-11-06')).toBe('06/11/2026'))
