import { getHeapSpaceStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { trimHeap } from './trim-heap.ts'

const young = () => getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.space_size ?? 0

test('trimHeap shrinks the heap’s young generation after loading modules has filled it', () => {
  let loaded: object[] = []
  for (let i = 0; i < 600_000; i++) {
    loaded.push({ i })
    if (loaded.length > 60_000) loaded = loaded.slice(30_000)
  }
  const before = young()
  expect(before).toBeGreaterThan(8_000_000)
  trimHeap()
  expect(young()).toBeLessThan(before / 4)
})
