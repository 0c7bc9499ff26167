import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** Runs batches only when it is told to, and keeps what they were. */
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
  /** Lets batches through one after the other until none comes any more. */
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

describe('calls', () => {
  test('that are made in the same breath are one batch', async () => {
    const { batches, run, letAll } = held<number>()
    const call = coalesce(run, { batchSize: 10 })
    const answers = [1, 2, 3, 4].map(call)
    await letAll()
    expect(batches).toEqual([[1, 2, 3, 4]])
    expect(await Promise.all(answers)).toEqual(['did 1', 'did 2', 'did 3', 'did 4'])
  })

  test('that come while a batch is under way make up the next one, in their order', async () => {
    const { batches, run, letAll } = held<number>()
    const call = coalesce(run, { batchSize: 10 })
    const first = call(1)
    await turn()
    expect(batches).toEqual([[1]])
    const answers = [2, 3, 4].map(call)
    await letAll()
    expect(batches).toEqual([[1], [2, 3, 4]])
    expect(await Promise.all([first, ...answers])).toEqual(['did 1', 'did 2', 'did 3', 'did 4'])
  })

  test('go out at once while fewer batches are under way than may be', async () => {
    const { batches, run, letAll } = held<number>()
    const call = coalesce(run, { batchSize: 10, atOnce: 2 })
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

  test('wait for a batch that hangs no longer than its patience', async () => {
    const batches: number[][] = []
    const call = coalesce(
      async (inputs: number[]) => {
        batches.push(inputs)
        if (inputs.includes(1)) await new Promise(() => {})
        return inputs
      },
      { batchSize: 10, patienceMs: 1 },
    )
    void call(1)
    await turn()
    expect(await Promise.all([call(2), call(3)])).toEqual([2, 3])
    expect(await call(4)).toBe(4)
    expect(batches).toEqual([[1], [2, 3], [4]])
  })

  test('alone do not wait for company, also later', async () => {
    const call = coalesce(async (inputs: number[]) => inputs, { batchSize: 10 })
    for (const input of [1, 2, 3]) expect(await call(input)).toBe(input)
  })

  test('are answered each with its own answer, in batches within the limit', async () => {
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
          const call = coalesce(run, { batchSize })
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

describe('an input that cannot succeed', () => {
  test('fails alone; those that came with it succeed', async () => {
    const { batches, run, letAll } = held<number>(input => input === 3)
    const call = coalesce(run, { batchSize: 10 })
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

  test('does not stop what comes after it', async () => {
    const { run, letAll } = held<number>(input => input === 1)
    const call = coalesce(run, { batchSize: 10 })
    const answers = Promise.allSettled([call(1), call(2)])
    await letAll()
    expect(await answers).toMatchObject([{ status: 'rejected' }, { value: 'did 2' }])
    const next = call(5)
    await letAll()
    expect(await next).toBe('did 5')
  })

  test('fails by its own fault also where the batch fails at once', async () => {
    const call = coalesce<number, number>(
      () => {
        throw new Error('no batch')
      },
      { batchSize: 10 },
    )
    await expect(call(1)).rejects.toThrow('no batch')
  })
})
