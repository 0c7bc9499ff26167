import { expect, test } from 'vitest'
import { runningHandlers } from './running-handlers.ts'

test('waiting for all running handlers ends when the last handler has succeeded or failed', async () => {
  const running = runningHandlers()
  const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const order: string[] = []
  const handlers = [one, other].map(({ promise }) =>
    running.track(promise).then(
      result => order.push(result),
      (error: Error) => order.push(error.message),
    ),
  )
  const ended = running.allEnded(3_600_000).then(() => order.push('all ended'))
  one.resolve('succeeded')
  other.reject(new Error('failed'))
  await Promise.all([...handlers, ended])
  expect(order.at(-1)).toBe('all ended')
  expect(order).toHaveLength(3)
})

test('waiting for handlers ends at once if no handler is running', async () => {
  const running = runningHandlers()
  await running.track(Promise.resolve())
  // If the call waited for its limit, the test would time out.
  await running.allEnded(3_600_000)
})

test('waiting for handlers ends after its limit if a handler never ends', async () => {
  const running = runningHandlers()
  void running.track(new Promise(() => {}))
  await running.allEnded(1)
})
