import { afterEach, expect, test, vi } from 'vitest'
import { idAfter, isId, LAST_ID, newId, timeOfId } from './id.ts'

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

test('a new id is greater than the previous one even if the clock is set back', () => {
  const before = newId()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
  expect(newId() > before).toBe(true)
})

test('the random parts of ten thousand new ids all differ', () => {
  const ends = Array.from({ length: 10_000 }, () => newId().slice(-12))
  expect(new Set(ends).size).toBe(ends.length)
})
