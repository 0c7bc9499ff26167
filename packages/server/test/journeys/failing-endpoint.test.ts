// Tests the emails that the service sends if deliveries to an additional webhook endpoint fail. The endpoint is
// a real server in the test.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { sendNotices } from '../../src/notices/send-notices.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { mailsTo } from '../support/mail.ts'
import { callsAs } from '../support/management-api.ts'
import { logIn, merchantOf, simulate, until } from '../support/merchant.ts'

const MINUTE_MS = 60_000
let { app, demo, dataDir, advance }: TestApp = {} as TestApp
beforeAll(async () => {
  ;({ app, demo, dataDir, advance } = await testApp())
})

test('a webhook endpoint that fails for an hour triggers only one email until it recovers', async () => {
  let status = 503
  const server = createServer((_, response) => response.writeHead(status).end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/accounting`
  const client = async (method: string, path: string, body?: object) =>
    callsAs(demo, await logIn(demo, demo.client))(method, path, body)
  const { data: endpoint } = await client('POST', '/v1/webhook-endpoints', {
    ...{ mode: 'test', url, event_types: ['payment.paid'] },
  })
  /** Pays a payment, then waits until the endpoint has received its event and responded with the current `status`. */
  async function pay() {
    const { data: payment } = await merchantOf(demo).create()
    await simulate(demo, payment, 'paid')
    const deliveries = `/v1/webhook-endpoints/${endpoint.id}/deliveries?payment_id=${payment.id}`
    await until(`an attempt with status ${status}`, async () => {
      const { items } = (await client('GET', deliveries)).data
      return items[0]?.attempts.some((each: { response_status: number }) => each.response_status === status)
    })
  }
  const mails = async () =>
    (await mailsTo(dataDir, demo.client.email)).filter(text => text.includes('webhook endpoint is failing'))
  const mailsAfter = async (minutes: number) => {
    advance(minutes * MINUTE_MS)
    await sendNotices(app)
    return (await mails()).length
  }

  await pay()
  expect(await mailsAfter(50)).toBe(0)
  advance(11 * MINUTE_MS)
  await sendNotices(app)
  const [mail] = await until('the mail arrives', async () => (await mails()).length > 0 && mails())
  expect(mail).toContain(`\n  ${url}\n`)
  expect(mail).toContain('The last attempt failed: status 503')
  expect(mail).toContain('redeliver the failed events on its page')
  expect(mail).toContain(`/dashboard/webhooks/endpoints/${endpoint.id}`)
  await pay()
  expect(await mailsAfter(25 * 60)).toBe(1)

  status = 200
  await pay()
  expect(await mailsAfter(1)).toBe(1)
  status = 503
  await pay()
  expect(await mailsAfter(50)).toBe(1)
  advance(11 * MINUTE_MS)
  await sendNotices(app)
  await until('the second mail arrives', async () => (await mails()).length === 2)
})
