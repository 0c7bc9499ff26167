import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { getHeapSpaceStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { trimHeap } from './trim-heap.ts'

const young = () => getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.space_size ?? 0

test("trimHeap shrinks the heap's young generation (the area for new objects) after module loading has enlarged it", () => {
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

/**
 * This program creates long-lived and then short-lived objects at each of ten places in its code. V8 decides separately
 * for each place where to create objects. The program prints how many bytes the short-lived objects take up in V8's old
 * generation, the heap area for long-lived objects.
 */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { trimHeap } from '${import.meta.dirname}/trim-heap.ts'
  const old = () => getHeapSpaceStatistics().find(space => space.space_name === 'old_space').space_used_size
  trimHeap()
  const grown = []
  for (let i = 0; i < 2_000_000; i++) grown.push({ i })
  let bytes = 0
  for (let place = 0; place < 10; place++) {
    const make = new Function('i', 'return { place: ' + place + ', list: [i, i, i] }')
    const kept = []
    for (let i = 0; i < 20_000; i++) {
      kept.push(make(i))
      if (i % 1_000 === 0) gc({ type: 'minor' })
    }
    for (let i = 0; i < 3; i++) gc({ type: 'minor' })
    const before = old()
    const last = []
    for (let i = 0; i < 20_000; i++) last[i % 64] = make(i)
    bytes += old() - before
  }
  console.log(bytes)`

test('after trimHeap, V8 creates short-lived objects in the young generation again', async () => {
  const flags = [
    '--expose-gc',
    '--max-semi-space-size=12',
    '--input-type=module-typescript',
    '--eval',
    program,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  expect(Number(stdout)).toBeLessThan(1_000_000)
})
