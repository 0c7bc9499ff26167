import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Gapura, webhooks } from '@gapura/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { newHome } from './gapura.ts'
import { startService } from './real-service.ts'

test('gapura listen forwards events to a local receiver, signed like a webhook delivery', async () => {
  const { demo, stop } = await startService()
  onTestFinished(stop)
  const got: Promise<string>[] = []
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = webhooks.verify(Buffer.concat(chunks), request.headers, demo.client.webhook_secret)
    got.push(event.then(({ type }) => type))
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => void receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

  const home = newHome()
  const { email, password } = demo.client
  await home.gapura(['login', '--email', email, '--base-url', demo.base_url], { input: password })
  const listening = home.gapura(['webhooks', 'listen', '--forward-to', url, '--count', '1', '--json'])
  // Payments are created until one is received, because a listener receives only events from the time it starts.
  const shop = new Gapura({ apiKey: demo.client.test_key, baseUrl: demo.base_url })
  const order = {
    amount: 100,
    currency: 'IDR',
    method_type: 'qris',
    method_detail: { type: 'qris' },
  } as const
  let ended = false
  const over = listening.finally(() => {
    ended = true
  })
  while (!ended) {
    await shop.payments.cancel((await shop.payments.create(order)).id)
    await Promise.race([over, new Promise(resolve => setTimeout(resolve, 500))])
  }

  const { exitCode, stdout, stderr } = await listening
  expect(exitCode, stderr).toBe(0)
  expect(stderr).toContain(`Listening for test-mode webhooks and forwarding to ${url}`)
  expect(JSON.parse(stdout)).toMatchObject({ type: 'payment.cancelled', verified: true, answer: 204 })
  expect(await Promise.all(got)).toEqual(['payment.cancelled'])

  const refused = await home.gapura(['webhooks', 'listen', '--forward-to', 'ftp://x'])
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('It must be an http')])
})
