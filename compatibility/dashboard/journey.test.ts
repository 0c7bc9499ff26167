// Tests a new user's journey in a real browser, from the first command in the README to a redelivered webhook.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../packages/sdk/src/webhooks.ts'
import type { Demo } from '../../packages/server/src/demo/demo.ts'
import { until } from '../../packages/server/test/support/merchant.ts'
import { newPlace, removePlace } from '../../packages/server/test/support/service.ts'
import { barriers, visit } from '../site/browser.ts'
import { confirmStored, createKey } from './api-keys.page.ts'
import { picture, settled } from './dashboard.ts'
import { fillLogin } from './login.page.ts'
import { createTestPayment, fillAmount } from './new-payment.page.ts'
import { openArea } from './shell.page.ts'
import { redeliver, revealSecret, sendTestEvent, setCallbackUrl } from './webhooks.page.ts'

const root = join(import.meta.dirname, '../..')

/** Runs `npm start`, as in the README. */
async function start(): Promise<Demo> {
  const place = await newPlace()
  // Vitest sets NODE_ENV=test. This value is removed here, because with it the dashboard would be built with the
  // development versions of its libraries.
  const { NODE_ENV: _, ...env } = process.env
  const service = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: {
      ...env,
      PORT: String(place.port),
      GAPURA_DATA_DIR: place.dataDir,
      GAPURA_LOG_LEVEL: 'warn',
    },
  })
  onTestFinished(async () => {
    if (service.pid) process.kill(-service.pid, 'SIGTERM')
    await once(service, 'exit')
    await removePlace(place)
  })
  await until('the service is ready', () =>
    fetch(`http://127.0.0.1:${place.port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return JSON.parse(await readFile(join(place.dataDir, 'demo.json'), 'utf8'))
}

type Hook = { headers: IncomingMessage['headers']; body: string }

async function shop() {
  const hooks: Hook[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    hooks.push({ headers: request.headers, body })
    response.end('thanks')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { hooks, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` }
}

test('a new user can log in to the dashboard, create a test payment, pay it and redeliver its webhook', async () => {
  const demo = await start()
  const { hooks, url } = await shop()
  const visited = await visit('/dashboard/login', {}, demo.base_url)
  onTestFinished(() => visited.end())
  const { page, complaints } = visited
  await fillLogin(page, demo.client)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(url => /\/dashboard\/?$/.test(url.pathname))
  await settled(visited)

  await openArea(page, 'API keys')
  const key = await createKey(page, 'web shop')
  const methods = await fetch(`${demo.base_url}/v1/active-methods`, {
    headers: { authorization: `ApiKey ${key}` },
  })
  expect(methods.status).toBe(200)
  await picture(visited, 'journey, key')
  expect(await barriers(page)).toEqual([])
  await confirmStored(page, 'web shop')
  expect(await page.content()).not.toContain(key)

  await openArea(page, 'Webhooks')
  await setCallbackUrl(page, url)
  const secret = await revealSecret(page)
  await sendTestEvent(page)

  await openArea(page, 'Payments')
  await page.getByRole('link', { name: 'Test payment' }).click()
  await fillAmount(page, 150_000)
  await createTestPayment(page)
  await page
    .getByText(/Rp\s?150,000/)
    .first()
    .waitFor()
  await settled(visited)
  await picture(visited, 'journey, instructions')
  await page.getByRole('link', { name: 'Open payment' }).click()
  await page.waitForURL(url => /\/payments\/[0-9a-f-]{36}$/.test(url.pathname))
  await settled(visited)

  const [sandbox] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Pay in the sandbox' }).click(),
  ])
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByText('Paid', { exact: true }).first().waitFor()
  const payment = new URL(page.url()).pathname.split('/').at(-1) as string
  await until('the webhook arrived', () => hooks.some(({ body }) => body.includes(payment)))
  const paid = hooks.find(({ body }) => body.includes(payment)) as Hook
  await verify(paid.body, paid.headers, secret)
  const attempt = page.getByRole('link', { name: /payment\.paid|delivery/i }).first()
  await attempt.waitFor()
  await picture(visited, 'journey, paid')
  expect(await barriers(page)).toEqual([])

  await attempt.click()
  await page.waitForURL(url => /\/webhooks\/[0-9a-f-]{36}$/.test(url.pathname))
  await settled(visited)
  await redeliver(page)
  await until('it arrived again', () => hooks.filter(({ body }) => body === paid.body).length === 2)
  await page
    .getByText(/^(Attempt 2|#?2)$/)
    .first()
    .waitFor()
  await picture(visited, 'journey, delivered twice')
  expect(complaints).toEqual([])
})
