import { expect, test } from 'vitest'
import { startWorker } from '../../src/jobs/worker.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { atOnce, createRequests, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { secondProcess } from '../support/second-process.ts'

test('two service processes sharing a database create each payment once and run each task once', async () => {
  const first = await testApp()
  const { demo } = first
  const second = await secondProcess(first)
  const worker = await startWorker(second.app, first.databaseUrl, { alone: false })
  // The worker must stop before the other parts of its process, because its jobs use the process's database
  // connections.
  atEnd(() => worker.stop())

  const hook = await receiver(demo)
  const [here, there] = [merchantOf(demo), merchantOf({ ...demo, base_url: second.url })]
  const before = await here.balance()
  const payments = await atOnce(10, [...Array(60).keys()], async n => {
    // Both processes receive a request with the same idempotency key at the same time. The two processes
    // must create only one payment.
    const [one, other] = await Promise.all([here.create({}, `two-${n}`), there.create({}, `two-${n}`)])
    expect(other.data.id).toBe(one.data.id)
    expect(await createRequests(demo, one.data)).toHaveLength(1)
    await simulate(demo, one.data, 'paid', { copies: 3 })
    return one.data
  })
  await until('every webhook arrives', () => payments.every(payment => hook.of(payment).length > 0))
  await until(
    'the balance contains all payments',
    async () => (await there.balance()) === before + 60 * 10_000_000,
  )
  for (const payment of payments) {
    expect(hook.of(payment)).toHaveLength(1)
    expect((await there.ledger(payment.id)).data).toHaveLength(1)
  }
  hook.close()
})
