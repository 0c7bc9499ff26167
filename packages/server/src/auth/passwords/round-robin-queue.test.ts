import { expect, test } from 'vitest'
import { roundRobinQueue } from './round-robin-queue.ts'

const refused = {
  code: 'SERVICE_UNAVAILABLE',
  retryAfterSeconds: 1,
  message: expect.stringContaining('too many'),
}

/**
 * Returns a queue of simulated password checks, which run until the test ends them. `done` contains the checks in
 * the order in which they started.
 */
function turnsOf(most: { running: number; waiting: number }) {
  const withTurn = roundRobinQueue({ ...most, what: 'too many' })
  const done: string[] = []
  const under: (() => void)[] = []
  const ask = (source: string, account: string) => {
    const name = `${source}${account}`
    const turn = withTurn({ source, account }, async () => {
      done.push(name)
      await new Promise<void>(resolve => under.push(resolve))
      return name
    })
    // The test awaits `turn` only later. Until then, this empty handler prevents a rejection from being
    // reported as unhandled.
    turn.catch(() => {})
    return turn
  }
  const settled = () => new Promise(resolve => setImmediate(resolve))
  async function endAll() {
    for (await settled(); under.length > 0; await settled()) under.shift()?.()
  }
  return { ask, done, endAll, settled, under }
}

test('the password check queue takes turns between IP addresses, and for each address between accounts', async () => {
  const { ask, done, endAll } = turnsOf({ running: 1, waiting: 64 })
  for (const account of ['1', '1', '1', '2', '3']) ask('a', account)
  ask('b', '8')
  ask('b', '9')
  await endAll()
  expect(done).toEqual(['a1', 'a1', 'b8', 'a2', 'b9', 'a3', 'a1'])
})

test('queued logins to one account run one at a time and do not delay other accounts', async () => {
  const { ask, done, settled, under } = turnsOf({ running: 2, waiting: 64 })
  ask('a', '1')
  ask('b', '1')
  ask('b', '2')
  await settled()
  expect(done).toEqual(['a1', 'b2'])
  under.shift()?.()
  await settled()
  expect(done).toEqual(['a1', 'b2', 'b1'])
})

test("if one IP address fills the login queue, another address's login replaces the last one", async () => {
  const { ask, done, endAll } = turnsOf({ running: 1, waiting: 4 })
  const flood = Array.from({ length: 9 }, (_, n) => ask('a', String(n)))
  const other = ask('b', 'x')
  await endAll()
  expect(await other).toBe('bx')
  expect(done).toEqual(['a0', 'a1', 'bx', 'a2', 'a3'])
  for (const turn of flood.slice(4)) await expect(turn).rejects.toMatchObject(refused)
})

test('if logins to one account fill the queue, a login to another account replaces the last one', async () => {
  const { ask, endAll } = turnsOf({ running: 1, waiting: 4 })
  const flood = Array.from({ length: 5 }, () => ask('a', 'victim'))
  const other = ask('a', 'other')
  await endAll()
  expect(await other).toBe('aother')
  await expect(flood.at(-1)).rejects.toMatchObject(refused)
})

test('the next queued login runs even if the previous login fails with an error', async () => {
  const withTurn = roundRobinQueue({ running: 1, waiting: 1, what: 'too many' })
  const first = Promise.withResolvers<void>()
  const failing = withTurn({ source: 'a', account: '1' }, () => first.promise)
  const next = withTurn({ source: 'a', account: '1' }, async () => 'next')
  await expect(withTurn({ source: 'a', account: '1' }, async () => 'third')).rejects.toMatchObject(refused)
  first.reject(new Error('failed'))
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('next')
})
