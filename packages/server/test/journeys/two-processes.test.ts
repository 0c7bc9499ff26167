import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { compose } from '../../src/compose.ts'
import { startHttp } from '../../src/http/server.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { createLog } from '../../src/log.ts'
import { testApp } from '../support/app.ts'
import { atOnce, createRequests, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

test('two services on one database do each thing once', { timeout: 60_000 }, async () => {
  const { app, demo, databaseUrl, dataDir } = await testApp()
  const second = await compose(
    {
      databaseUrl,
      masterKey: randomBytes(32),
      publicUrl: app.publicUrl,
      webhookAllowPrivate: true,
      smtpUrl: undefined,
      mailFrom: 'Gapura <no-reply@example.com>',
      dataDir,
      log: createLog('silent'),
    },
    { secrets: app.secrets },
  )
  const http = await startHttp(second.app, {
    host: '127.0.0.1',
    port: 0,
    metricsToken: undefined,
    openapi: '{}',
    readiness: () => ({ worker: true, stopping: false }),
  })
  const worker = await startWorker(second.app, databaseUrl, { alone: false })
  afterAll(async () => {
    await http.stop()
    await worker.stop()
    await second.close()
  })

  const hook = await receiver(demo)
  const [here, there] = [merchantOf(demo), merchantOf({ ...demo, base_url: http.url })]
  const before = await here.balance()
  const payments = await atOnce(10, [...Array(60).keys()], async n => {
    // The same order reaches both at the same time.
    const [one, other] = await Promise.all([here.create({}, `two-${n}`), there.create({}, `two-${n}`)])
    expect(other.data.id).toBe(one.data.id)
    expect(await createRequests(demo, one.data)).toHaveLength(1)
    await simulate(demo, one.data, 'paid', { copies: 3 })
    return one.data
  })
  await until('every webhook', () => payments.every(payment => hook.of(payment).length > 0))
  await until('the whole balance', async () => (await there.balance()) === before + 60 * 10_000_000)
  for (const payment of payments) {
    expect(hook.of(payment)).toHaveLength(1)
    expect((await there.ledger(payment.id)).data).toHaveLength(1)
  }
  hook.close()
})
