// Tests in a real browser that the refund form asks for the second factor. Starts its own service, because the test
// changes the time at which the user last confirmed the second factor.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDb } from '../../packages/server/src/db/db.ts'
import { appCode } from '../../packages/server/test/support/authenticator-app.ts'
import { http, logIn, merchantOf } from '../../packages/server/test/support/merchant.ts'
import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'
import { barriers, visit } from '../site/browser.ts'
import { picture, settled } from './dashboard.ts'
import { fillLogin } from './login.page.ts'
import { paidPayment, qris } from './paid-payment.ts'
import { openRefundForm } from './refunds.page.ts'

async function ownService() {
  const place = await newPlace()
  const service = await startService(place)
  const socket = encodeURIComponent(join(place.dataDir, 'socket'))
  const db = createDb(`postgres://gapura@localhost/gapura?host=${socket}`, { max: 1 })
  return {
    demo: service.demo,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await service.stop()
      await removePlace(place)
    },
  }
}

test('a refund above the limit requires the second factor and is created exactly once', async () => {
  await using service = await ownService()
  const { demo, db } = service
  const shop = merchantOf(demo)
  const payment = await paidPayment(demo, { amount: 200_000_000, ...qris })
  const factor = async (path: string, body: object) =>
    (await http('POST', `${demo.base_url}/v1/account/second-factor/totp${path}`, { auth, body })).data
  const auth = await logIn(demo, demo.client)
  const { secret } = await factor('', {})
  const { recovery_codes } = await factor('/confirm', {
    code: appCode(secret, new Date()),
    current_password: demo.client.password,
  })
  const [first, second] = recovery_codes as [string, string]

  const visited = await visit('/dashboard/login', {}, demo.base_url)
  const { page, complaints } = visited
  const keys: (string | undefined)[] = []
  page.on('request', request => {
    if (request.url().includes('refunds.create')) keys.push(request.headers()['x-idempotency-key'])
  })
  await fillLogin(page, demo.client)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill(first)
  await page.keyboard.press('Enter')
  await page.waitForURL(url => /\/dashboard\/?$/.test(url.pathname))
  await db.raw(`update sessions set proven_at = proven_at - interval '15 minutes'`)
  await page.goto(`${demo.base_url}/dashboard/payments/${payment.id}`)
  await settled(visited)

  const form = await openRefundForm(page)
  await page.route(/secondFactor\.get/, route => route.abort())
  await form.getByRole('button', { name: /^Refund Rp\s2,000,000$/ }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
  const again = proof.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute(/secondFactor\.get/)
  await again.click()
  await proof.getByRole('textbox', { name: 'Code' }).fill(second)
  expect(await barriers(page)).toEqual([])
  await picture(visited, 'client, confirm refund')
  expect((await shop.call('GET', `/v1/payments/${payment.id}/refunds`)).data).toEqual([])
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByText(/Refund requested · Rp\s2,000,000/).waitFor()

  const { data: refunds } = await shop.call('GET', `/v1/payments/${payment.id}/refunds`)
  expect(refunds).toMatchObject([{ amount: 200_000_000, origin: 'merchant' }])
  expect(keys).toEqual([expect.any(String), keys[0]])
  // The browser reports the 401 responses that request the second factor, and the requests that this test aborts. These
  // console errors are expected.
  expect(complaints.filter(each => !/401|ERR_FAILED|secondFactor\.get/.test(each))).toEqual([])
  await visited.end()
})
