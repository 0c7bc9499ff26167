import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { currentRequestId, withRequestId } from '../../logging/log.ts'
import { batched } from './batched.ts'

/** Returns a batched function whose batches run only when the test releases them. `batches` records their inputs. */
function held<In>(poison: (input: In) => boolean = () => false) {
  const batches: In[][] = []
  const gates: (() => void)[] = []
  const run = async (inputs: In[]): Promise<string[]> => {
    batches.push(inputs)
    await new Promise<void>(resolve => gates.push(resolve))
    const bad = inputs.find(poison)
    if (bad !== undefined) throw new Error(`cannot do ${bad}`)
    return inputs.map(input => `did ${input}`)
  }
  /** Lets the batches finish one after another until no more batches start. */
  const letAll = async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise(resolve => setImmediate(resolve))
      const open = gates.shift()
      if (open) quiet = -1
      open?.()
    }
  }
  return { batches, run, letAll }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

/** Waits for two turns of the event loop. Every batch that can start now has then started. */
const twoTurns = async () => {
  await turn()
  await turn()
}

/** Returns a batched function for tests. Each of its batches runs until the test ends the batch. */
function hanging({ maxInFlight }: { maxInFlight: number }) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const batches: number[][] = []
  const ends = new Map<number, () => void>()
  const call = batched(
    async (inputs: number[]) => {
      batches.push(inputs)
      await Promise.all(inputs.map(input => new Promise<void>(resolve => ends.set(input, resolve))))
      return inputs
    },
    { name: 'test', batchSize: 10, maxInFlight, slowAfterMs: 1_000 },
  )
  return {
    batches,
    call(input: number) {
      void call(input)
      return twoTurns()
    },
    end(input: number) {
      ends.get(input)?.()
      return twoTurns()
    },
    becomeSlow() {
      vi.advanceTimersByTime(1_000)
      return twoTurns()
    },
  }
}

describe('batched calls share batches', () => {
  test('batched calls in the same turn of the event loop share one batch', async () => {
    const { batches, run, letAll } = held<number>()
    const call = batched(run, { name: 'test', batchSize: 10 })
    const answers = [1, 2, 3, 4].map(call)
    await letAll()
    expect(batches).toEqual([[1, 2, 3, 4]])
    expect(await Promise.all(answers)).toEqual(['did 1', 'did 2', 'did 3', 'did 4'])
  })

  test('calls that arrive while a batch is in flight form the next batch, in call order', async () => {
    const { batches, run, letAll } = held<number>()
    const call = batched(run, { name: 'test', batchSize: 10 })
    const first = call(1)
    await turn()
    expect(batches).toEqual([[1]])
    const answers = [2, 3, 4].map(call)
    await letAll()
    expect(batches).toEqual([[1], [2, 3, 4]])
    expect(await Promise.all([first, ...answers])).toEqual(['did 1', 'did 2', 'did 3', 'did 4'])
  })

  test('batched calls are split, in order, into batches with a maximum total weight', async () => {
    const { batches, run, letAll } = held<number>()
    const call = batched(run, { name: 'test', batchSize: 3, weight: { of: input => input, ofBatch: 10 } })
    const inputs = [4, 5, 2, 50, 1, 1, 1, 1]
    const answers = inputs.map(call)
    await letAll()
    expect(batches).toEqual([[4, 5], [2], [50], [1, 1, 1], [1]])
    expect(await Promise.all(answers)).toEqual(inputs.map(input => `did ${input}`))
  })

  test('a batched call starts immediately if fewer batches are in flight than the limit allows', async () => {
    const { batches, run, letAll } = held<number>()
    const call = batched(run, { name: 'test', batchSize: 10, maxInFlight: 2 })
    const answers = [call(1)]
    await turn()
    answers.push(call(2))
    await turn()
    answers.push(call(3), call(4))
    await turn()
    expect(batches).toEqual([[1], [2]])
    await letAll()
    expect(batches).toEqual([[1], [2], [3, 4]])
    expect(await Promise.all(answers)).toEqual(['did 1', 'did 2', 'did 3', 'did 4'])
  })

  test('if a batch hangs, later calls wait for this batch for at most `slowAfterMs`', async () => {
    const batches: number[][] = []
    const call = batched(
      async (inputs: number[]) => {
        batches.push(inputs)
        if (inputs.includes(1)) await new Promise(() => {})
        return inputs
      },
      { name: 'test', batchSize: 10, slowAfterMs: 1 },
    )
    void call(1)
    await turn()
    expect(await Promise.all([call(2), call(3)])).toEqual([2, 3])
    expect(await call(4)).toBe(4)
    expect(batches).toEqual([[1], [2, 3], [4]])
  })

  test('up to a maximum number, slow batches do not count toward the limit on batches in flight', async () => {
    const { batches, call, end, becomeSlow } = hanging({ maxInFlight: 2 })
    for (const input of [1, 2]) await call(input)
    await becomeSlow()
    for (const input of [3, 4]) await call(input)
    await becomeSlow()
    await call(5)
    expect(batches).toEqual([[1], [2], [3], [4]])
    await end(1)
    expect(batches).toEqual([[1], [2], [3], [4], [5]])
  })

  test('once all slow batches have ended, the limit on batches in flight applies again', async () => {
    const { batches, call, end, becomeSlow } = hanging({ maxInFlight: 1 })
    for (const input of [1, 2]) {
      await call(input)
      await becomeSlow()
    }
    for (const input of [1, 2]) await end(input)
    for (const input of [3, 4]) await call(input)
    expect(batches).toEqual([[1], [2], [3]])
    await end(3)
    expect(batches).toEqual([[1], [2], [3], [4]])
  })

  test('a batch runs without the request context of the call that started it', async () => {
    const seen: unknown[] = []
    const call = batched(
      async (inputs: number[]) => {
        seen.push(currentRequestId())
        return inputs
      },
      { name: 'test', batchSize: 1 },
    )
    await withRequestId('request-1', async () => {
      await Promise.all([call(1), call(2)])
      expect(currentRequestId()).toBe('request-1')
    })
    expect(seen).toEqual([undefined, undefined])
  })

  test('if only one batched call is made at a time, it runs without a delay', async () => {
    const call = batched(async (inputs: number[]) => inputs, { name: 'test', batchSize: 10 })
    for (const input of [1, 2, 3]) expect(await call(input)).toBe(input)
  })

  test('each batched call gets the result for its own input, and no batch exceeds the size limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat())),
        fc.integer({ min: 1, max: 5 }),
        async (waves, batchSize) => {
          const batches: number[][] = []
          const run = async (inputs: number[]) => {
            batches.push(inputs)
            await Promise.resolve()
            return inputs.map(input => -input)
          }
          const call = batched(run, { name: 'test', batchSize })
          const answers: Promise<number>[] = []
          for (const wave of waves) {
            answers.push(...wave.map(call))
            await Promise.resolve()
          }
          expect(await Promise.all(answers)).toEqual(waves.flat().map(input => -input))
          expect(batches.flat()).toEqual(waves.flat())
          expect(Math.max(0, ...batches.map(batch => batch.length))).toBeLessThanOrEqual(batchSize)
        },
      ),
    )
  })
})

describe('an invalid input of a batched call does not make other calls in the same batch fail', () => {
  test('an invalid input makes only its own batched call fail; the other inputs in its batch succeed', async () => {
    const { batches, run, letAll } = held<number>(input => input === 3)
    const call = batched(run, { name: 'test', batchSize: 10 })
    const answers = Promise.allSettled([1, 2, 3, 4].map(call))
    await letAll()
    expect(await answers).toMatchObject([
      { value: 'did 1' },
      { value: 'did 2' },
      { reason: { message: 'cannot do 3' } },
      { value: 'did 4' },
    ])
    expect(batches).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]])
  })

  test('after a batch fails, its inputs are retried a few at a time, without waiting for slow retries', async () => {
    let [underWay, most] = [0, 0]
    const call = batched(
      async (inputs: number[]) => {
        if (inputs.length > 1) throw new Error('one of them cannot')
        underWay += 1
        most = Math.max(most, underWay)
        await turn()
        if (inputs.includes(1)) await new Promise(() => {})
        underWay -= 1
        return inputs
      },
      { name: 'test', batchSize: 100 },
    )
    void call(1)
    const others = Array.from({ length: 50 }, (_, index) => index + 2)
    expect(await Promise.all(others.map(call))).toEqual(others)
    expect(most).toBe(4)
  })

  test('after one batched call fails, later calls still succeed', async () => {
    const { run, letAll } = held<number>(input => input === 1)
    const call = batched(run, { name: 'test', batchSize: 10 })
    const answers = Promise.allSettled([call(1), call(2)])
    await letAll()
    expect(await answers).toMatchObject([{ status: 'rejected' }, { value: 'did 2' }])
    const next = call(5)
    await letAll()
    expect(await next).toBe('did 5')
  })

  test("if several inputs in a batch are invalid, each call fails with its own input's error", async () => {
    const { run, letAll } = held<number>(input => input < 3)
    const call = batched(run, { name: 'test', batchSize: 10 })
    const answers = Promise.allSettled([call(1), call(2), call(3)])
    await letAll()
    expect(await answers).toMatchObject([
      { reason: { message: 'cannot do 1' } },
      { reason: { message: 'cannot do 2' } },
      { value: 'did 3' },
    ])
  })

  test('if the database is unavailable, all calls in a batch fail together, and no call is retried', async () => {
    const { call, batches } = failing(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    const results = await Promise.allSettled([call(1), call(2)])
    expect(results).toMatchObject([
      { reason: { code: 'ECONNREFUSED' } },
      { reason: { code: 'ECONNREFUSED' } },
    ])
    expect(batches).toEqual([[1, 2]])
  })

  test('if `retriesAlone` is false, a failed batch makes all its calls fail without retries', async () => {
    const { call, batches } = failing(new Error('broken'), { retriesAlone: false })
    const results = await Promise.allSettled([call(1), call(2)])
    expect(results).toMatchObject([{ reason: { message: 'broken' } }, { reason: { message: 'broken' } }])
    expect(batches).toEqual([[1, 2]])
  })
})

/** Returns a batched function for tests, in which every batch fails with the given error. */
function failing(error: Error, options: { retriesAlone?: boolean } = {}) {
  const batches: number[][] = []
  const call = batched<number, number>(
    async inputs => {
      batches.push(inputs)
      throw error
    },
    { name: 'test', batchSize: 10, ...options },
  )
  return { call, batches }
}
