import { expect, onTestFinished, test } from 'vitest'
import { runPeriodically } from './periodic.ts'

const PAUSE_MS = 1

test('periodic work continues after a failed run, and each error is reported', async () => {
  const errors: unknown[] = []
  let runs = 0
  const work = runPeriodically(
    PAUSE_MS,
    async () => {
      runs += 1
      if (runs <= 2) throw new Error(`run ${runs}`)
    },
    error => errors.push(error),
  )
  onTestFinished(work.stop)
  await expect.poll(() => runs).toBeGreaterThan(3)
  expect(errors).toMatchObject([{ message: 'run 1' }, { message: 'run 2' }])
})

test('stopping periodic work waits for the current run and ignores its error', async () => {
  const errors: unknown[] = []
  let runs = 0
  const work = runPeriodically(
    PAUSE_MS,
    async stop => {
      runs += 1
      await new Promise(resolve => stop.addEventListener('abort', resolve))
      throw new Error('interrupted')
    },
    error => errors.push(error),
  )
  await work.stop()
  expect({ runs, errors }).toEqual({ runs: 1, errors: [] })
})
