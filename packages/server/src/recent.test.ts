import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recent } from './recent.ts'

let at = 1_000
beforeEach(() => {
  // The clock of the cache, and the timer by which it looks at the clock once in a millisecond only.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockImplementation(() => at)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
async function pass(ms: number): Promise<void> {
  at += ms
  await vi.advanceTimersByTimeAsync(ms)
}

/** What is stored may be changed or gone; reads of it are counted. */
function store(values: Record<string, object | undefined>) {
  const reads: string[] = []
  const get = recent(async key => {
    reads.push(key)
    return values[key]
  })
  return { values, reads, get }
}

describe('what was read a moment ago', () => {
  test('is not read again', async () => {
    const { reads, get } = store({ a: { n: 1 } })
    expect([await get('a'), await get('a')]).toEqual([{ n: 1 }, { n: 1 }])
    expect(reads).toEqual(['a'])
  })

  test('is read once for all who ask at the same time', async () => {
    const { reads, get } = store({ a: { n: 1 } })
    await Promise.all(Array.from({ length: 50 }, () => get('a')))
    expect(reads).toEqual(['a'])
  })

  test("is never another's", async () => {
    const { get } = store({ a: { n: 1 }, b: { n: 2 } })
    expect([await get('a'), await get('b'), await get('a')]).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }])
  })
})

test('what was changed or taken away holds within a second', async () => {
  const { values, get } = store({ a: { n: 1 }, b: { n: 2 } })
  await Promise.all([get('a'), get('b')])
  values.a = { n: 3 }
  delete values.b
  await pass(999)
  expect([await get('a'), await get('b')]).toEqual([{ n: 3 }, undefined])
})

test('what is asked for all the time does not stay for ever', async () => {
  const { values, get } = store({ a: { n: 1 } })
  await get('a')
  values.a = { n: 2 }
  for (let i = 0; i < 10; i++) {
    await pass(100)
    await get('a')
  }
  expect(await get('a')).toEqual({ n: 2 })
})

test('what was absent is there as soon as it is', async () => {
  const { values, get } = store({})
  expect(await get('a')).toBeUndefined()
  values.a = { n: 1 }
  expect(await get('a')).toEqual({ n: 1 })
})

test('a read that fails is told and not kept', async () => {
  let fail = true
  const get = recent(async () => {
    if (fail) throw new Error('database away')
    return { n: 1 }
  })
  await expect(get('a')).rejects.toThrow('database away')
  fail = false
  expect(await get('a')).toEqual({ n: 1 })
})
