import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cached, type ListeningPeriod, notListening } from './cache.ts'

let at = 1_000
let listeningPeriod: ListeningPeriod
beforeEach(() => {
  listeningPeriod = notListening
  vi.spyOn(performance, 'now').mockImplementation(() => at)
})
afterEach(() => {
  vi.restoreAllMocks()
})
const pass = (ms: number) => {
  at += ms
}
/** Simulates that the channel for change notifications works for the next `forMs` milliseconds. */
function hear(forMs = Number.POSITIVE_INFINITY) {
  listeningPeriod = { sinceMs: at, untilMs: at + forMs }
}

type Stored = { n: number; livesMs?: number; of?: string }

/**
 * Returns a configuration store whose values the test may change or remove. The store counts reads and can delay
 * them.
 */
function store(values: Record<string, Stored | undefined>) {
  const reads: string[] = []
  let looks = 0
  let passes: Promise<void> = Promise.resolve()
  const cache = cached<Stored>(
    async key => {
      reads.push(key)
      const value = values[key]
      await passes
      return value
    },
    () => listeningPeriod,
    {
      lifetimeMs: ({ livesMs }) => livesMs ?? Number.POSITIVE_INFINITY,
      dependsOn({ of }) {
        looks++
        return of
      },
    },
  )
  /** Blocks all reads that start from now on, until the returned function is called. */
  function holdUp(): () => void {
    const held = Promise.withResolvers<void>()
    passes = held.promise
    return () => {
      passes = Promise.resolve()
      held.resolve()
    }
  }
  return { values, reads, looks: () => looks, holdUp, ...cache }
}

describe('the cache returns a recently read value instead of reading the value again', () => {
  test('the cache returns a recently read value without reading it again', async () => {
    const { reads, get } = store({ a: { n: 1 } })
    expect([await get('a'), await get('a')]).toEqual([{ n: 1 }, { n: 1 }])
    expect(reads).toEqual(['a'])
  })

  test('concurrent callers of the cache share one read of a value', async () => {
    const { reads, get } = store({ a: { n: 1 } })
    await Promise.all(Array.from({ length: 50 }, () => get('a')))
    expect(reads).toEqual(['a'])
  })

  test('if the configuration cache contains values for several keys, it returns the value of the requested key', async () => {
    const { get } = store({ a: { n: 1 }, b: { n: 2 } })
    expect([await get('a'), await get('b'), await get('a')]).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }])
  })
})

test('the method peek returns a cached value at once, without a promise, until the value expires', async () => {
  const { values, reads, holdUp, get, peek, invalidate } = store({ a: { n: 1 } })
  expect(peek('a')).toBeUndefined()
  const goOn = holdUp()
  const reading = get('a')
  expect(peek('a')).toBeUndefined()
  goOn()
  await reading
  expect(peek('a')).toEqual({ n: 1 })
  pass(500)
  expect(peek('a')).toBeUndefined()
  values.a = { n: 2 }
  await get('a')
  expect(peek('a')).toEqual({ n: 2 })
  invalidate('a')
  expect(peek('a')).toBeUndefined()
  expect(reads).toEqual(['a', 'a'])
})

test('the cache does not remember that a value is missing', async () => {
  hear()
  const { values, get } = store({})
  expect(await get('a')).toBeUndefined()
  values.a = { n: 1 }
  expect(await get('a')).toEqual({ n: 1 })
})

test('if reading a value fails, the cache throws the error and reads again at the next call', async () => {
  let fail = true
  const { get } = cached(
    async () => {
      if (fail) throw new Error('database away')
      return { n: 1 }
    },
    () => listeningPeriod,
  )
  await expect(get('a')).rejects.toThrow('database away')
  fail = false
  expect(await get('a')).toEqual({ n: 1 })
})

describe('without change notifications, a cached value expires in less than a second', () => {
  test('without change notifications, the cache returns an outdated or deleted value for less than a second', async () => {
    const { values, get } = store({ a: { n: 1 }, b: { n: 2 } })
    await Promise.all([get('a'), get('b')])
    values.a = { n: 3 }
    delete values.b
    pass(999)
    expect([await get('a'), await get('b')]).toEqual([{ n: 3 }, undefined])
  })

  test('without change notifications, a cached value expires even if it is requested all the time', async () => {
    const { values, get } = store({ a: { n: 1 } })
    await get('a')
    values.a = { n: 2 }
    for (let i = 0; i < 10; i++) {
      pass(100)
      await get('a')
    }
    expect(await get('a')).toEqual({ n: 2 })
  })

  test('without change notifications, a caller does not wait for a read that has hung for a second', async () => {
    const { holdUp, get, values } = store({ a: { n: 1 } })
    const release = holdUp()
    const hanging = get('a')
    values.a = { n: 2 }
    pass(999)
    const fresh = get('a')
    release()
    expect([await hanging, await fresh]).toEqual([{ n: 1 }, { n: 2 }])
    expect(await get('a')).toEqual({ n: 2 })
  })
})

describe('while change notifications work, a cached value is used until it changes or is a minute old', () => {
  test('with change notifications, the cache keeps an unchanged value for a minute', async () => {
    hear()
    const { reads, get } = store({ a: { n: 1 } })
    await get('a')
    pass(59_000)
    await get('a')
    expect(reads).toEqual(['a'])
    pass(1_000)
    await get('a')
    expect(reads).toEqual(['a', 'a'])
  })

  test('if a value is removed from the cache, only this value is read from the database again', async () => {
    hear()
    const { reads, get, invalidate, values } = store({ a: { n: 1 }, b: { n: 2 } })
    await Promise.all([get('a'), get('b')])
    values.a = { n: 3 }
    invalidate('a')
    expect([await get('a'), await get('b')]).toEqual([{ n: 3 }, { n: 2 }])
    expect(reads).toEqual(['a', 'b', 'a'])
  })

  test('if an object changes, the cache drops the values that depend on it and keeps all other values', async () => {
    hear()
    const parts = { a: { n: 1, of: 'x' }, b: { n: 2, of: 'y' }, c: { n: 3 }, d: { n: 4, of: 'y' } }
    const { reads, get, invalidateDependents } = store(parts)
    const getAll = () => Promise.all(Object.keys(parts).map(get))
    await getAll()
    invalidateDependents('y')
    await getAll()
    expect(reads).toEqual(['a', 'b', 'c', 'd', 'b', 'd'])
    invalidateDependents('y')
    await getAll()
    expect(reads).toEqual(['a', 'b', 'c', 'd', 'b', 'd', 'b', 'd'])
  })

  test('if a reloaded value depends on a new object, changes to the previous object no longer affect it', async () => {
    hear()
    const { reads, get, invalidate, invalidateDependents, values } = store({ a: { n: 1, of: 'x' } })
    await get('a')
    values.a = { n: 1, of: 'y' }
    invalidate('a')
    await get('a')
    invalidateDependents('x')
    await get('a')
    expect(reads).toEqual(['a', 'a'])
    invalidateDependents('y')
    await get('a')
    expect(reads).toEqual(['a', 'a', 'a'])
  })

  test('if an object changes, the cache finds the dependent values without searching all cached values', async () => {
    hear()
    const parts = Array.from({ length: 1_000 }, (_, n) => [`${n}`, { n, of: `of ${n}` }] as const)
    const { reads, get, looks, invalidateDependents } = store(Object.fromEntries(parts))
    const getAll = () => Promise.all(parts.map(([key]) => get(key)))
    await getAll()
    for (const [, { of }] of parts) invalidateDependents(of)
    await getAll()
    expect(reads).toHaveLength(2_000)
    expect(looks()).toBe(2_000)
  })

  test('with change notifications, callers share a slow read only during its first half second', async () => {
    hear()
    const { reads, holdUp, get } = store({ a: { n: 1 } })
    const release = holdUp()
    const hanging = get('a')
    pass(499)
    const joined = get('a')
    expect(reads).toEqual(['a'])
    pass(1)
    const fresh = get('a')
    expect(reads).toEqual(['a', 'a'])
    release()
    await Promise.all([hanging, joined, fresh])
    await get('a')
    expect(reads).toEqual(['a', 'a'])
  })

  test.each<[string, (late: PromiseWithResolvers<Stored | undefined>) => void]>([
    ['with the previous value', late => late.resolve({ n: 1, of: 'x', livesMs: 1 })],
    ['without a value', late => late.resolve(undefined)],
    ['in an error', late => late.reject(new Error('database away'))],
  ])(
    "if a hanging database read ends %s after a later read of the same value, the cache keeps the later read's result",
    async (_, end) => {
      hear()
      const late = Promise.withResolvers<Stored | undefined>()
      const answers = [late.promise, Promise.resolve<Stored>({ n: 2, of: 'y' })]
      const reads: string[] = []
      const { get, invalidateDependents } = cached<Stored>(
        key => {
          reads.push(key)
          return answers.shift() as Promise<Stored | undefined>
        },
        () => listeningPeriod,
        { lifetimeMs: ({ livesMs }) => livesMs ?? Number.POSITIVE_INFINITY, dependsOn: ({ of }) => of },
      )
      const hanging = get('a').catch(() => {})
      pass(500)
      const fresh = get('a')
      expect(reads).toEqual(['a', 'a'])
      await fresh
      end(late)
      await hanging
      invalidateDependents('x')
      expect(await get('a')).toEqual({ n: 2, of: 'y' })
      expect(reads).toEqual(['a', 'a'])
    },
  )

  test.each<[string, (cache: ReturnType<typeof store>) => void]>([
    ['the value', cache => cache.invalidate('a')],
    ['the values that depend on a changed object', cache => cache.invalidateDependents('x')],
    ['all values', cache => cache.invalidateAll()],
  ])(
    "if the cache drops %s during a database read, the read's result is not cached, because it may be outdated",
    async (_, dropIt) => {
      hear()
      const cache = store({ a: { n: 1 } })
      const release = cache.holdUp()
      const before = cache.get('a')
      cache.values.a = { n: 2 }
      dropIt(cache)
      const after = cache.get('a')
      release()
      expect([await before, await after, await cache.get('a')]).toEqual([{ n: 1 }, { n: 2 }, { n: 2 }])
      expect(cache.reads).toEqual(['a', 'a'])
    },
  )

  test('a value that was cached before the process began to receive change notifications expires within a second', async () => {
    const { get, values } = store({ a: { n: 1 } })
    await get('a')
    pass(1)
    hear()
    values.a = { n: 2 }
    pass(999)
    expect(await get('a')).toEqual({ n: 2 })
  })

  test('after the notification channel reconnects, a cached value is read again within a second', async () => {
    hear()
    const { get, values } = store({ a: { n: 1 } })
    await get('a')
    values.a = { n: 2 }
    pass(600)
    hear()
    expect(await get('a')).toEqual({ n: 2 })
  })

  test('a cached value is read again early if change notifications may have stopped', async () => {
    hear(800)
    const { get, values } = store({ a: { n: 1 } })
    await get('a')
    values.a = { n: 2 }
    pass(800)
    expect(await get('a')).toEqual({ n: 2 })
  })

  test('a cached value with its own lifetime is read from the database again when it ends', async () => {
    hear()
    const { reads, get } = store({ a: { n: 1, livesMs: 300 } })
    await get('a')
    pass(299)
    await get('a')
    expect(reads).toEqual(['a'])
    pass(1)
    await get('a')
    expect(reads).toEqual(['a', 'a'])
  })
})

test('when more than ten thousand values are cached, the least recently used value is evicted first', async () => {
  hear()
  const values = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`${n}`, { n }]))
  const { reads, get } = store(values)
  for (const key of Object.keys(values)) await get(key)
  await get('10000')
  expect(reads).toHaveLength(10_001)
  await get('0')
  expect(reads).toHaveLength(10_002)
})
