import type { Runner } from 'graphile-worker'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../test/support/app.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { startWorker } from './worker.ts'

const runner = vi.hoisted(() => {
  const { promise, reject } = Promise.withResolvers<void>()
  return { promise, fail: reject }
})
vi.mock('graphile-worker', async original => ({
  ...(await original<typeof import('graphile-worker')>()),
  run: async () =>
    ({
      promise: runner.promise,
      stop: () => Promise.reject(new Error('Runner is already stopped')),
    }) as Partial<Runner>,
}))

const { app, databaseUrl } = await testApp({ worker: false })

test('a runner that fails is told of and ends its worker, which can be stopped, and nothing else', async () => {
  const uncaught = vi.fn()
  process.on('unhandledRejection', uncaught)
  atEnd(() => process.off('unhandledRejection', uncaught))
  const error = vi.spyOn(app.log, 'error')
  const worker = await startWorker(app, databaseUrl, { alone: false, only: ['mails'] })
  expect(worker.isRunning()).toBe(true)
  const failure = new Error('no way to the queue')
  runner.fail(failure)
  await vi.waitFor(() => expect(worker.isRunning()).toBe(false))
  expect(error).toHaveBeenCalledWith({ err: failure }, 'job runner ended')
  await worker.stop()
  // What nobody caught is told at the end of a turn.
  await new Promise(resolve => setImmediate(resolve))
  expect(uncaught).not.toHaveBeenCalled()
})
