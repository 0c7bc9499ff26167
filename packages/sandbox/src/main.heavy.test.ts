import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, charge, newOrderId } from '../test/support/merchant.ts'
import { startReceiver } from '../test/support/receiver.ts'
import { startSandbox } from './server.ts'

let folder: string
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

function spawn(env: Record<string, string> = {}): ChildProcess {
  const child = fork(new URL('./main.ts', import.meta.url), {
    execArgv: [],
    silent: true,
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', ...env },
  })
  children.push(child)
  return child
}

async function ready(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message')
  expect(message).toMatchObject({ ready: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
  return message.url
}

test('orders and idempotency keys survive a kill -9 of the sandbox process', async () => {
  const orderId = newOrderId()
  const headers = { 'idempotency-key': orderId }
  const dataFile = join(folder, 'sandbox.db')
  const first = spawn({ SANDBOX_DATA: dataFile })
  const url = await ready(first)
  const created = await call(`${url}/midtrans/v2/charge`, charge({}, orderId), { headers })
  await call(`${url}/simulate`, { payment_code: orderId, outcome: 'paid', amount: 100 })
  first.kill('SIGKILL')
  await once(first, 'exit')

  const restarted = await startSandbox({ port: 0, dataFile })
  const again = restarted.url
  expect((await call(`${again}/midtrans/v2/${orderId}/status`)).body).toMatchObject({
    transaction_id: created.body.transaction_id,
    transaction_status: 'settlement',
    gross_amount: '1.00',
    va_numbers: created.body.va_numbers,
  })
  expect((await call(`${again}/midtrans/v2/charge`, charge({}, orderId), { headers })).text).toBe(
    created.text,
  )
  expect((await call(`${again}/requests?payment_code=${orderId}`)).body.requests).toHaveLength(2)
  await restarted.close()
})

test('a pending notification is sent after the sandbox is restarted', async () => {
  const dataFile = join(folder, 'new', 'folder', 'owed.db')
  const merchant = await startReceiver((_, count) => ({ status: count === 1 ? 500 : 200 }))
  const before = await startSandbox({ port: 0, dataFile, notificationUrl: merchant.url, retryScale: 1e-6 })
  await call(`${before.url}/midtrans/v2/charge`, charge())
  await merchant.waitFor(1)
  await before.close()
  const after = await startSandbox({ port: 0, dataFile })
  const [first, second] = await merchant.waitFor(2)
  expect(second?.text).toBe(first?.text)
  await after.close()
  await merchant.close()
})

test.each(['SIGTERM', 'SIGINT'] as const)('the signal %s stops the sandbox cleanly', async signal => {
  const child = spawn()
  await ready(child)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('the sandbox stops when the process that started it ends', async () => {
  const child = spawn()
  await ready(child)
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.each([
  ['a busy port', (url: string) => ({ SANDBOX_PORT: new URL(url).port }), /already in use/, 98],
  ['an invalid environment variable', () => ({ SANDBOX_PORT: 'high' }), /SANDBOX_PORT/, 1],
])(
  'if the sandbox cannot start because of %s, it prints one line to stderr',
  async (_, env, line, exitCode) => {
    const running = await startSandbox({ port: 0 })
    const child = spawn(env(running.url))
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', text => {
      stderr += text
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(exitCode)
    expect(stderr).toMatch(line)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    await running.close()
  },
)
