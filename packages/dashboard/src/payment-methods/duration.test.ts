import { expect, test } from 'vitest'
import { durationIn } from './duration.ts'

test.each([
  [1, '1 minute', '1 menit'],
  [90, '90 minutes', '90 menit'],
  [60, '1 hour', '1 jam'],
  [2_160, '36 hours', '36 jam'],
  [1_440, '1 day', '1 hari'],
  [43_200, '30 days', '30 hari'],
])('a duration of %i minutes is shown as %s in English and as %s in Indonesian', (minutes, en, id) => {
  expect(durationIn('en', minutes)).toBe(en)
  expect(durationIn('id', minutes)).toBe(id)
})
