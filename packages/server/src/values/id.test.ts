import { afterEach, expect, test, vi } from 'vitest'
import { idAfter, idsMadeIn, isId, LAST_ID, newId, timeOfId } from './id.ts'

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['01990000-0000-7000-8000-000000000001', '01990000-0000-7000-8000-000000000002'],
  ['01990000-0000-7000-8000-ffffffffffff', '01990000-0000-7000-8001-000000000000'],
  ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'],
  [LAST_ID, LAST_ID],
])('after the id %s, the next id in sort order is %s', (id, next) => {
  expect(idAfter(id)).toBe(next)
})

test('a new id is unique, greater than all earlier ids in the process, and contains its creation time', () => {
  const startedAtMs = Date.now()
  const ids = Array.from({ length: 10_000 }, newId)
  expect(ids.every(isId)).toBe(true)
  expect(ids).toEqual([...new Set(ids)].sort())
  expect(timeOfId(ids[0] as string).getTime()).toBeGreaterThanOrEqual(startedAtMs)
  expect(timeOfId(ids.at(-1) as string).getTime()).toBeLessThanOrEqual(Date.now())
})

test('a new id is greater than the last id, even if the clock is set back by 30 seconds', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  const before = newId()
  clock.mockReturnValue(Date.now() - 30_000)
  expect(newId() > before).toBe(true)
})

test.each([31, 3_600])(
  'if the clock is set back by %i seconds, the next id belongs to the period of the new time',
  seconds => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    newId()
    clock.mockReturnValue(Date.now() - seconds * 1_000)
    const id = newId()
    const from = new Date(Date.now())
    const { fromId, beforeId } = idsMadeIn({ from, before: new Date(Date.now() + 1) })
    expect(id >= fromId && id < beforeId).toBe(true)
    expect(timeOfId(id)).toEqual(from)
  },
)

test('ids stay unique even if the clock is set back', () => {
  const clock = vi.spyOn(Date, 'now')
  const start = Date.now()
  const rounds = [0, -3_600_000, 0, -3_600_000].map(offset => {
    clock.mockReturnValue(start + offset)
    return Array.from({ length: 5_000 }, newId)
  })
  for (const ids of rounds) expect(ids).toEqual(ids.toSorted())
  expect(new Set(rounds.flat()).size).toBe(20_000)
})

test('the random parts of ten thousand new ids all differ', () => {
  const ends = Array.from({ length: 10_000 }, () => newId().slice(-12))
  expect(new Set(ends).size).toBe(ends.length)
})
