import { expect, test } from 'vitest'
import { basisPointsOf, percentOf } from './percent.ts'

test.each([
  ['0', 0],
  ['0.7', 70],
  ['0,7', 70],
  ['2.95', 295],
  [' 11 ', 1100],
  ['100', 10_000],
])('the typed percentage "%s" is converted to %i basis points', (typed, points) => {
  expect(basisPointsOf(typed)).toBe(points)
})

test.each(['', '-1', '1.', '.5', '0.705', '1,000.5', '7%', '1e2'])(
  'the dashboard rejects the text "%s" as a percentage',
  typed => {
    expect(basisPointsOf(typed)).toBeUndefined()
  },
)

test('in both languages, a percentage stays the same if it is formatted and then parsed again', () => {
  for (const language of ['en', 'id'] as const)
    for (let points = 0; points <= 10_000; points++)
      expect(basisPointsOf(percentOf(points, language))).toBe(points)
  expect(percentOf(70, 'en')).toBe('0.7')
  expect(percentOf(70, 'id')).toBe('0,7')
  expect(percentOf(1100, 'en')).toBe('11')
})
