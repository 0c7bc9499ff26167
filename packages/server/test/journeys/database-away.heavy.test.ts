// Tests that new requests are rejected at once while the database hangs or is unavailable, and that the
// service recovers without a restart.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { compose } from '../../src/compose.ts'
import { createHttp } from '../../src/http/server.ts'
import { createLog } from '../../src/logging/log.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { merchantOf, simulate, until } from '../support/merchant.ts'

const { app, demo, databaseUrl, dataDir, advance } = await testApp({ worker: false })
const proxy = await databaseProxy(databaseUrl)
const { app: away, close } = await compose(
  {
    // The timeouts are shorter than in production, so that the test takes less time.
    databaseUrl: `${proxy.url}?query_timeout=12000`,
    masterKey: Buffer.alloc(32),
    publicUrl: app.publicUrl,
    webhookAllowPrivate: true,
    smtpUrl: undefined,
    mailFrom: 'Gapura <no-reply@example.com>',
    dataDir,
    log: createLog('silent'),
  },
  { secrets: app.secrets, clock: app.clock },
)
const server = await createHttp(away, {
  host: '127.0.0.1',
  metricsToken: undefined,
  openapi: '{}',
  readiness: () => ({ worker: true, stopping: false }),
}).listen(0)
atEnd(async () => {
  await server.stop()
  await close()
})
const merchant = merchantOf({ ...demo, base_url: server.url })

async function readiness() {
  const response = await fetch(`${server.url}/readyz`)
  return { status: response.status, body: (await response.json()) as { checks: object } }
}
const notReady = {
  status: 503,
  body: { status: 'not ready', checks: { database: false, storage: true, worker: true, accepting: true } },
}
const unavailable = (message: RegExp) => ({
  status: 503,
  error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(message) },
})
const untilWell = () =>
  until(
    'the database is available again',
    async () => (await readiness()).status === 200 && (await merchant.create()).success,
  )

test('after the database has hung, repeated requests create each payment only once', async () => {
  await untilWell()
  proxy.freeze()
  const keys = [...Array(60)].map(() => randomUUID())
  let answered = 0
  const waiting = keys.map(async key => {
    const answer = await merchant.create({}, key)
    answered += 1
    return answer
  })
  const late = await until('the next request is rejected', async () => {
    const answer = await Promise.race([merchant.create(), pause(50, undefined)])
    return answer?.status === 503 && { answer, answered }
  })
  expect(late.answer.error.message).toBe(
    'service unavailable: the database is overloaded; the request was not processed, retry',
  )
  expect(late.answer.headers.get('retry-after')).toBe('1')
  expect(late.answered).toBeLessThan(keys.length)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect(await readiness()).toEqual(notReady)
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(unavailable(/try again$/))
  // New requests are rejected at once while the database hangs.
  expect(await merchant.create()).toMatchObject(unavailable(/the request was not processed, retry$/))

  proxy.mend()
  await untilWell()
  const repeat = () => Promise.all(keys.map(key => merchant.create({}, key)))
  // Some repeated requests may return 502 and must be sent once more. PostgreSQL may have stored the payment even
  // though its insert got no response, so another process could still be charging the payment.
  for (const { status, headers } of await repeat())
    expect([status, headers.get('retry-after')]).toEqual(status === 502 ? [502, '5'] : [200, null])
  advance(20_000)
  expect((await repeat()).map(({ status }) => status)).toEqual(keys.map(() => 200))
  const { rows } = await app.db.raw('select count(*)::integer from payments where idempotency_key = any(?)', [
    keys,
  ])
  expect(rows[0].count).toBe(keys.length)
})

test('after a database outage, requests and callbacks succeed again without a restart', async () => {
  const { data } = await merchant.create()
  proxy.cut()
  await until('a request is refused', async () => (await merchant.get(data.id)).status === 503)
  expect(await merchant.create()).toMatchObject(
    unavailable(/^service unavailable: the database .* try again$/),
  )
  expect((await merchant.create()).headers.get('retry-after')).toBe('1')
  expect(await readiness()).toEqual(notReady)
  const { rows } = await app.db.raw(
    'select provider, provider_account_id as account from payments where id = ?',
    [data.id],
  )
  const callback = `${server.url}/v1/callbacks/${rows[0].provider}/${rows[0].account}`
  expect((await fetch(callback, { method: 'POST', body: '{}' })).status).toBe(503)

  proxy.mend()
  await untilWell()
  expect((await merchant.get(data.id)).data).toEqual(data)
  expect(await simulate(demo, data, 'paid')).toMatchObject([{ status: 200 }])
})
