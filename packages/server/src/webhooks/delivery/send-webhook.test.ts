import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test, vi } from 'vitest'
import { atEnd } from '../../../test/support/at-end.ts'
import { createLog } from '../../logging/log.ts'
import { newId } from '../../values/id.ts'
import { type AttemptResult, webhookSender } from './send-webhook.ts'
import { webhookAgent } from './webhook-agent.ts'

const log = createLog('silent')
const tenantId = newId()
const asked: string[] = []
let origin: string
beforeAll(async () => {
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    // For this path, the response starts but never finishes.
    if (url === '/half') return void response.writeHead(200).write('half of it')
    // For this path, the receiver responds with an endless body.
    if (url === '/endless') {
      response.writeHead(200)
      const writing = setInterval(() => response.write('a'.repeat(1_500)), 5)
      return void response.on('close', () => clearInterval(writing))
    }
    // For the path /hints/N, the receiver sends N informational (1xx) responses before the final response.
    if (url.startsWith('/hints/')) {
      for (let n = Number(url.slice(7)); n > 0; n--)
        response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      return void response.end('done')
    }
    const status = Number(url.slice(1))
    // For a path such as /302, the receiver responds with the status in the path and redirects to a service on this
    // machine. An attacker's receiver might do the same to reach internal services.
    response.writeHead(status, { location: `${origin}/inside` }).end('moved')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
})

test('if a webhook response breaks off, the bytes received so far are recorded', async () => {
  const agent = webhookAgent(true)
  const sender = webhookSender(agent, 500, log)
  const answer = await new Promise<AttemptResult>(resolve =>
    sender.send({ tenantId, url: `${origin}/half`, headers: {}, body: Buffer.from('{}') }, resolve),
  )
  expect(answer).toEqual({
    class: 'timeout',
    responseStatus: 200,
    responseHeaders: { date: expect.any(String) },
    responseBody: 'half of it',
    error: 'the response did not end within 0.5 s',
  })
  sender.stop()
  await agent.destroy()
})

test('only the first 4 KiB of a webhook response is read and recorded', async () => {
  const agent = webhookAgent(true)
  const sender = webhookSender(agent, 2_000, log)
  const answer = await new Promise<AttemptResult>(resolve =>
    sender.send({ tenantId, url: `${origin}/endless`, headers: {}, body: Buffer.from('{}') }, resolve),
  )
  expect(answer).toMatchObject({ class: '2xx', error: null, responseBody: 'a'.repeat(4_096) })
  sender.stop()
  await agent.destroy()
})

test.each([
  [10, { class: '2xx', responseStatus: 200, responseBody: 'done', error: null }],
  [
    11,
    {
      ...{ class: 'connection', responseStatus: null, responseBody: null },
      error: 'more than 10 informational (1xx) responses',
    },
  ],
])(
  'a webhook attempt ignores up to ten informational (1xx) responses, and fails if there are more (%i)',
  async (count, expected) => {
    const agent = webhookAgent(true)
    const sender = webhookSender(agent, 5_000, log)
    const answer = await new Promise<AttemptResult>(resolve =>
      sender.send(
        { tenantId, url: `${origin}/hints/${count}`, headers: {}, body: Buffer.from('{}') },
        resolve,
      ),
    )
    expect(answer).toMatchObject(expected)
    sender.stop()
    await agent.destroy()
  },
)

test.each([301, 302, 303, 307, 308])('a webhook redirect (%i) is recorded but not followed', async status => {
  const agent = webhookAgent(true)
  const sender = webhookSender(agent, 5_000, log)
  asked.length = 0
  const answer = await new Promise<AttemptResult>(resolve =>
    sender.send({ tenantId, url: `${origin}/${status}`, headers: {}, body: Buffer.from('{}') }, resolve),
  )
  expect(answer).toMatchObject({
    ...{ class: '3xx', responseStatus: status, responseBody: 'moved', error: null },
    responseHeaders: { location: `${origin}/inside` },
  })
  expect(asked).toEqual([`/${status}`])
  sender.stop()
  await agent.destroy()
})

test('a tenant cannot find out whether an internal host name exists or which private address it has', async () => {
  const warn = vi.spyOn(log, 'warn')
  const agent = webhookAgent(false, async name => {
    if (name.startsWith('database.')) return [{ address: '10.0.0.7', family: 4 }]
    throw Object.assign(new Error(`the address of ${name} is unknown`), { code: 'ENOTFOUND' })
  })
  const sender = webhookSender(agent, 5_000, log)
  const errors: (string | null)[] = []
  for (const host of ['database.internal', 'unknown.internal', 'localhost', '10.0.0.7', 'database.internal'])
    errors.push(
      await new Promise(resolve =>
        sender.send(
          { tenantId, url: `https://${host}/`, headers: {}, body: Buffer.from('{}') },
          ({ error }) => resolve(error),
        ),
      ),
    )
  expect(new Set(errors)).toEqual(
    new Set(["the receiver's host name does not exist, or it has an address that is not public"]),
  )
  // The second attempt to reach database.internal is not logged, because the first one was already logged.
  expect(warn.mock.calls.map(([fields]) => fields)).toMatchObject([
    { tenantId, err: { message: 'database.internal (10.0.0.7) is not a public address' } },
    { tenantId, err: { message: 'localhost is not a public address' } },
    { tenantId, err: { message: '10.0.0.7 is not a public address' } },
  ])
  sender.stop()
  await agent.destroy()
})
