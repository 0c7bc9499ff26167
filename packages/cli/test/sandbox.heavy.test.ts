// Tests the CLI commands that cause payment events in the provider sandbox of a real service. With these commands,
// developers can test payments without a bank account.

import { beforeAll, expect, test } from 'vitest'
import type { Demo } from '../../server/src/demo/demo.ts'
import { startDemoService } from './demo-service.ts'
import { newHome } from './gapura.ts'
import { service } from './service.ts'

let demo: Demo
beforeAll(async () => {
  const service = await startDemoService()
  demo = service.demo
  return service.stop
})

const env = (more: Record<string, string> = {}) => ({
  GAPURA_API_KEY: demo.client.test_key,
  GAPURA_BASE_URL: demo.base_url,
  ...more,
})
const gapura = (args: string[], more: Record<string, string> = {}, columns?: number) =>
  newHome().gapura(args, { env: env(more), ...(columns !== undefined && { columns }) })
const qris = ['payments', 'create', '--rupiah', '25000', '--method', 'qris']

test.each(['paid', 'failed', 'expired', 'cancelled', 'challenged'])(
  'gapura trigger payment.%s creates a test payment and brings it to this status',
  async status => {
    const { exitCode, stdout, stderr } = await gapura(['trigger', `payment.${status}`, '--json'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      event: `payment.${status}`,
      payment: { status, amount: 10_000_000 },
    })
  },
)

test('gapura trigger payment.reversed pays a payment and then reverses it', async () => {
  const { exitCode, stdout, stderr } = await gapura(['trigger', 'payment.reversed', '--json'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const { event, payment } = JSON.parse(stdout)
  expect([event, payment.status]).toEqual(['payment.reversed', 'paid'])
  const ledger = JSON.parse((await gapura(['payments', 'ledger', payment.id, '--json'])).stdout)
  expect(
    ledger
      .map(({ entry_type, amount }: { entry_type: string; amount: number }) => `${entry_type} ${amount}`)
      .sort(),
  ).toEqual(['credit 10000000', 'debit 10000000'])
  const shown = await gapura(['trigger', 'payment.reversed', '--amount', '2500000'])
  expect(shown.stdout).toMatch(/^Taken back +Rp 25\.000$/m)
})

test('without --json, gapura trigger describes in readable text what happened', async () => {
  const { stdout } = await gapura(['trigger', 'payment.paid', '--amount', '2500000'])
  expect(stdout).toMatch(/^GP\S+ is paid$/m)
  expect(stdout).toMatch(/^Paid +Rp 25\.000$/m)
  expect(stdout).toMatch(/^Callbacks +HTTP 200$/m)
})

test("gapura payments pay accepts a payment's code or ID, and pays the payment only once", async () => {
  for (const field of ['payment_code', 'id']) {
    const payment = JSON.parse((await gapura([...qris, '--json'])).stdout)
    const paid = await gapura(['payments', 'pay', payment[field], '--json'])
    expect(JSON.parse(paid.stdout).payment).toMatchObject({ id: payment.id, status: 'paid' })
    const again = await gapura(['payments', 'pay', payment[field]])
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('is paid; pay a pending')])
  }
  const unknown = await gapura(['payments', 'pay', 'GP261120-7Q4M2ZK8XW'])
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('payment GP261120-7Q4M2ZK8XW not found'),
  ])
})

test('if the payer pays less than the amount due, the payment becomes challenged (held for a decision)', async () => {
  const create = [
    'payments',
    'create',
    '--rupiah',
    '25000',
    '--method',
    'virtual_account',
    '--channel',
    'BNI',
  ]
  const { payment_code } = JSON.parse((await gapura([...create, '--json'])).stdout)
  const { stdout } = await gapura(['payments', 'pay', payment_code, '--amount', '100000'])
  expect(stdout).toContain(`${payment_code} is challenged`)
})

test('gapura trigger explains why it failed if the API key is live or no sandbox is reachable', async () => {
  const other = await service(() => ({ status: 200, body: { hello: 'world' } }))
  for (const [more, said] of [
    [{ GAPURA_SANDBOX_URL: 'http://127.0.0.1:1' }, 'no provider sandbox responds at http://127.0.0.1:1'],
    [{ GAPURA_SANDBOX_URL: other.baseUrl }, 'not from a sandbox; set GAPURA_SANDBOX_URL'],
    [{ GAPURA_API_KEY: demo.client.live_key }, 'your API key is a live key'],
  ] as const) {
    const { exitCode, stderr } = await gapura(['trigger', 'payment.paid'], more)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(said)])
  }
  const elsewhere = await gapura(['trigger', 'payment.paid'], { GAPURA_SANDBOX_URL: 'sandbox' })
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([2, expect.stringContaining('(got sandbox)')])
})

test('gapura payments create --wait shows the QR code and ends when the payment is paid', async () => {
  const waiting = gapura([...qris, '--wait', '--idempotency-key', 'waits-for-paid'], { NO_COLOR: '1' }, 120)
  const code = await codeOf('waits-for-paid')
  await gapura(['payments', 'pay', code])
  const { exitCode, stdout, stderr } = await waiting
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^[█▀▄ ]{20,}$/m)
  expect(stdout).toMatch(/Rp 25\.000 is pending[\s\S]+Rp 25\.000 is paid/)
  expect(stderr).toContain('is pending, expires in')
})

test('gapura payments create --wait --json exits with 1 if the payment is not paid', async () => {
  const waiting = gapura([...qris, '--wait', '--json', '--idempotency-key', 'waits-for-end'])
  const code = await codeOf('waits-for-end')
  const { items } = JSON.parse((await gapura(['payments', 'list', '--query', code, '--json'])).stdout)
  await gapura(['payments', 'cancel', items[0].id])
  const { exitCode, stdout, stderr } = await waiting
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ payment_code: code, status: 'cancelled' })
  expect(JSON.parse(stderr).error.message).toBe(`payment ${code} is cancelled`)
})

/** Waits until the payment with the given idempotency key exists, and returns its payment code. */
async function codeOf(idempotencyKey: string): Promise<string> {
  for (;;) {
    const { stdout } = await gapura(['payments', 'list', '--query', idempotencyKey, '--json'])
    const [payment] = JSON.parse(stdout).items
    if (payment) return payment.payment_code
  }
}
