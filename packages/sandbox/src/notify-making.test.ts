import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { addOrder, closeFakeSandbox, fakeProvider, openFakeSandbox } from '../test/support/fake-provider.ts'
import { startReceiver, until } from '../test/support/receiver.ts'
import type { Provider, Sandbox } from './provider.ts'

// Tests protocols in which a notification is valid for only one address of the merchant: the sandbox requests
// a token from this address before the notification, or signs the address's path. With such a protocol,
// creating the notification can fail.

const LONG_AFTER = Date.now() + 1_000_000_000
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function receiver(...args: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...args)
  cleanups.push(started.close)
  return started
}

function open(over: Partial<Provider>, dataFile?: string): Sandbox {
  const sandbox = openFakeSandbox(fakeProvider(over), dataFile)
  cleanups.push(() => closeFakeSandbox(sandbox))
  return sandbox
}

const attemptsOf = (sandbox: Sandbox, seq: number) =>
  sandbox.store.notifications
    .listAttempts(seq, 10)
    .map(one => [one.try, one.answeredStatus, one.answeredBody])

test('all copies of a notification that the sandbox sends to one address are byte-identical', async () => {
  const merchant = await receiver()
  let made = 0
  const sandbox = open({
    notification: async (_sandbox, _order, url) => {
      made += 1
      return {
        url: `${url}/v1.0/notify`,
        headers: { 'x-number': String(made) },
        body: `"${made}"`,
        says: 'paid',
      }
    },
  })
  const order = addOrder(sandbox, [`${merchant.url}/a`, `${merchant.url}/b`])
  expect(await sandbox.notifier.send(order, { copies: 3 })).toHaveLength(6)
  expect(made).toBe(2)
  expect(merchant.received.map(one => `${one.path} ${one.text}`).sort()).toEqual([
    ...Array(3).fill('/a/v1.0/notify "1"'),
    ...Array(3).fill('/b/v1.0/notify "2"'),
  ])
})

test('if the sandbox fails to create a notification, later attempts try again until one succeeds', async () => {
  const merchant = await receiver((_, count) => ({ status: count === 1 ? 500 : 200 }))
  let made = 0
  const sandbox = open({
    notification: async (_sandbox, _order, url) => {
      made += 1
      if (made < 3) throw new Error(`no token, ${made}`)
      return { url, headers: {}, body: `"${made}"`, says: 'paid' }
    },
  })
  const order = addOrder(sandbox, [merchant.url])
  expect(await sandbox.notifier.send(order)).toEqual([{ status: 0, body: 'no token, 1' }])
  for (const tries of [2, 3, 4]) {
    sandbox.notifier.sendDueRetries(LONG_AFTER)
    await until(() => attemptsOf(sandbox, order.seq).length === tries)
    await until(() => sandbox.store.notifications.claimDue(0, 1).length === 0)
  }
  expect(attemptsOf(sandbox, order.seq).reverse()).toEqual([
    [1, 0, 'no token, 1'],
    [2, 0, 'no token, 2'],
    [3, 500, 'received'],
    [4, 200, 'received'],
  ])
  expect(merchant.received.map(one => one.text)).toEqual(['"3"', '"3"'])
  expect(sandbox.store.notifications.nextRetryAt(order.seq)).toBeNull()
})

test('if the content of a notification can expire, the sandbox creates the notification anew for each attempt', async () => {
  const merchant = await receiver((_, count) => ({ status: count === 1 ? 500 : 200 }))
  let made = 0
  const sandbox = open({
    notification: (_sandbox, _order, url) => {
      made += 1
      return { url, headers: { 'x-token': String(made) }, body: '{}', says: 'paid', ages: true }
    },
  })
  await sandbox.notifier.send(addOrder(sandbox, [merchant.url]))
  sandbox.notifier.sendDueRetries(LONG_AFTER)
  const received = await merchant.waitFor(2)
  expect(received.map(one => one.headers['x-token'])).toEqual(['1', '2'])
})

test('if a notification cannot be created, the sandbox creates and sends it after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  cleanups.push(() => rm(folder, { recursive: true }))
  const dataFile = join(folder, 'owed.db')
  const merchant = await receiver()
  const broken = openFakeSandbox(
    fakeProvider({ notification: () => Promise.reject(new Error('no token')) }),
    dataFile,
  )
  const order = addOrder(broken, [merchant.url], { status: 'paid' })
  await broken.notifier.send(order, { tampering: { currency: 'USD' } })
  broken.store.recordOrder({ ...order, status: 'failed' })
  await closeFakeSandbox(broken)
  const mended = open(
    {
      notification: (_sandbox, { status }, url, { currency }) => ({
        url,
        headers: {},
        body: JSON.stringify({ status, currency }),
        says: status,
      }),
    },
    dataFile,
  )
  mended.notifier.sendDueRetries(LONG_AFTER)
  const [received] = await merchant.waitFor(1)
  expect(received?.body).toEqual({ status: 'paid', currency: 'USD' })
})

test('if all identical copies of a notification fail, the sandbox retries only one', async () => {
  const merchant = await receiver(() => ({ status: 500 }))
  const sandbox = open({})
  await sandbox.notifier.send(addOrder(sandbox, [merchant.url]), { copies: 5 })
  expect(sandbox.store.notifications.claimDue(LONG_AFTER, 10)).toHaveLength(1)
})

test('requesting a token for a notification does not count as an attempt to send it', async () => {
  const merchant = await receiver(({ path }) => ({ status: path === '/token' ? 401 : 200, body: path }))
  const answers: unknown[] = []
  const sandbox = open({
    notification: async (_sandbox, _order, url, _tampering, ask) => {
      answers.push(await ask(`${url}/token`, { headers: { 'x-key': 'k' }, body: '{"a":1}' }))
      answers.push(await ask('http://127.0.0.1:9/nobody', { headers: {}, body: '' }))
      return { url: `${url}/notify`, headers: {}, body: '{}', says: 'paid' }
    },
  })
  const order = addOrder(sandbox, [merchant.url])
  await sandbox.notifier.send(order)
  expect(answers).toEqual([
    { status: 401, body: '/token' },
    { status: 0, body: expect.stringMatching(/./) },
  ])
  expect(merchant.received[0]).toMatchObject({ text: '{"a":1}', headers: { 'x-key': 'k' } })
  expect(attemptsOf(sandbox, order.seq)).toEqual([[1, 200, '/notify']])
})

test('the sandbox sends no notification for an outcome that the real provider does not report', async () => {
  const merchant = await receiver()
  const sandbox = open({ notification: () => undefined })
  const order = addOrder(sandbox, [merchant.url])
  expect(await sandbox.notifier.send(order, { copies: 2 })).toEqual([])
  expect(attemptsOf(sandbox, order.seq)).toEqual([])
  expect(sandbox.store.notifications.nextRetryAt(order.seq)).toBeNull()
  expect(merchant.received).toEqual([])
})

test('a simulated provider can retry a notification because of the response text, despite the status 200', async () => {
  const merchant = await receiver((_, count) => ({ status: 200, body: count === 1 ? 'hello' : 'success' }))
  const sandbox = open({ retriesAfter: (_status, body) => (body === 'success' ? 0 : 3) })
  const order = addOrder(sandbox, [merchant.url])
  await sandbox.notifier.send(order)
  expect(sandbox.store.notifications.nextRetryAt(order.seq)).not.toBeNull()
  sandbox.notifier.sendDueRetries(LONG_AFTER)
  await until(() => sandbox.store.notifications.nextRetryAt(order.seq) === null)
  expect(merchant.received).toHaveLength(2)
})

test('if a shutdown interrupts a delayed notification, the sandbox sends the notification after the restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  cleanups.push(() => rm(folder, { recursive: true }))
  const dataFile = join(folder, 'delayed.db')
  const merchant = await receiver()
  const before = openFakeSandbox(fakeProvider(), dataFile)
  const sent = before.notifier.send(addOrder(before, [merchant.url]), { delayMs: () => 60_000 })
  await closeFakeSandbox(before)
  await sent
  expect(merchant.received).toHaveLength(0)
  const after = open({}, dataFile)
  after.notifier.sendDueRetries(LONG_AFTER)
  expect(await merchant.waitFor(1)).toHaveLength(1)
})
