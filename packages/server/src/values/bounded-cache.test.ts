import { expect, test, vi } from 'vitest'
import { boundedCache } from './bounded-cache.ts'

test('a full cache drops the entry that was unused for longest, and calls dispose with its value', () => {
  const dispose = vi.fn()
  const cache = boundedCache<number>(3, { dispose: value => dispose(value) })
  for (const value of [1, 2, 3]) cache.set(`key ${value}`, value)
  expect(cache.get('key 1')).toBe(1)
  expect(dispose).not.toHaveBeenCalled()
  cache.set('key 4', 4)
  expect([...cache.values()].toSorted()).toEqual([1, 3, 4])
  expect(dispose.mock.calls).toEqual([[2]])
})
