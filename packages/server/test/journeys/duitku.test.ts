// Tests forged Duitku callbacks. Duitku's signature covers the order but not the result, so an attacker can
// change the result in a real callback. For this reason, the service changes a payment only after a status
// inquiry.

import { createHash, createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { register } from '../../src/demo/demo-accounts.ts'
import { updateProviderAccount } from '../../src/provider-accounts/update-provider-account.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { http, logIn, receiver, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

let { app, demo, advance }: TestApp = {} as TestApp
let shop: Awaited<ReturnType<typeof merchantWith>>
let hook: Awaited<ReturnType<typeof receiver>>
let owner: string
let keys: { merchant_code: string; api_key: string }
let callbackUrl: string

beforeAll(async () => {
  ;({ app, demo, advance } = await testApp())
  owner = await logIn(demo, demo.owner)
  shop = await merchantWith(app, demo, 'duitku')
  hook = await receiver(demo, undefined, shop)
  const account = demo.provider_accounts.find(({ id }) => id === shop.accountId)
  keys = account?.ours as typeof keys
  callbackUrl = `${demo.base_url}/v1/callbacks/duitku/${shop.accountId}`
})

type Payment = { id: string; payment_code: string; status: string }
const created = async (): Promise<Payment> => (await shop.create({ amount: 5_000_000 })).data
const statusOf = async ({ id }: Payment) => (await shop.get(id)).data.status
const creditsOf = async ({ id }: Payment) =>
  (await shop.ledger(id)).data.map(({ amount }: { amount: number }) => amount)
const hooksOf = (payment: Payment) => hook.of(payment).map(({ body }) => body.type)

/** Returns a callback with the given result and Duitku's valid signature for the order. */
function callbackOf({ payment_code }: Payment, resultCode: string, amount = '50000'): string {
  const signed = { merchantCode: keys.merchant_code, amount, merchantOrderId: payment_code }
  const signature = createHmac('sha256', keys.api_key).update(Object.values(signed).join('')).digest('hex')
  return `${new URLSearchParams({ ...signed, resultCode, reference: 'D0001FORGED', signature })}`
}

const send = (body: string) =>
  fetch(callbackUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

/**
 * Sends the callback form and waits until the service has processed it. If the inquiry contradicts the callback
 * (`isContradicted`), the service's clock is advanced, because the service retries the inquiry until the callback is a
 * minute old.
 */
async function delivered(
  payment: Payment,
  body: string,
  { isContradicted = false }: { isContradicted?: boolean } = {},
): Promise<void> {
  const settled = async () => {
    const { data } = await http('GET', `${demo.base_url}/v1/provider-callbacks?payment_id=${payment.id}`, {
      auth: owner,
    })
    return data.items.filter(({ status }: { status: string }) => status !== 'received').length as number
  }
  const before = await settled()
  const answer = await send(body)
  expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
  if (isContradicted) advance(60_000)
  await until('the callback is applied', async () => (await settled()) > before)
}

/** Returns the genuine callback that the sandbox (a simulation of the providers) sent about this payment. */
async function sentAbout({ payment_code }: Payment): Promise<string> {
  let after = 0
  for (;;) {
    const response = await fetch(`${demo.sandbox_url}/notifications?after=${after}&limit=1000`)
    const { notifications } = (await response.json()) as {
      notifications: { seq: number; reference: string; request_body: string }[]
    }
    const found = notifications.find(({ reference }) => reference === payment_code)
    if (found) return found.request_body
    after = notifications.at(-1)?.seq ?? expect.fail(`nothing was sent about ${payment_code}`)
  }
}

describe('forged Duitku callbacks change no payment', () => {
  test('while Duitku reports a payment as pending, a forged Duitku callback credits no money', async () => {
    const payment = await created()
    await delivered(payment, callbackOf(payment, '00'), { isContradicted: true })
    expect(await statusOf(payment)).toBe('pending')
    expect(await creditsOf(payment)).toEqual([])
    expect(hooksOf(payment)).toEqual([])
  })

  test('a forged Duitku callback that reports a failure does not set a pending payment to failed', async () => {
    const payment = await created()
    await delivered(payment, callbackOf(payment, '01'))
    expect(await statusOf(payment)).toBe('pending')
    expect(hooksOf(payment)).toEqual([])
  })

  test('a Duitku callback about a failed payment credits nothing if its result is changed to paid', async () => {
    const payment = await created()
    await simulate(demo, payment, 'failed')
    await until('the payment is cancelled', async () => (await statusOf(payment)) === 'cancelled')
    const genuine = await sentAbout(payment)
    expect(genuine).toContain('resultCode=01')
    await delivered(payment, genuine.replace('resultCode=01', 'resultCode=00'), { isContradicted: true })
    expect(await statusOf(payment)).toBe('cancelled')
    expect(await creditsOf(payment)).toEqual([])
  })

  test('a genuine Duitku callback changed to report a failure does not change a paid payment', async () => {
    const payment = await created()
    await simulate(demo, payment, 'paid')
    await until('the payment is paid', async () => (await statusOf(payment)) === 'paid')
    await delivered(payment, (await sentAbout(payment)).replace('resultCode=00', 'resultCode=01'))
    expect(await statusOf(payment)).toBe('paid')
    expect(await creditsOf(payment)).toEqual([5_000_000])
  })

  test('a forged Duitku callback with a changed amount is rejected, because its signature covers the amount', async () => {
    const payment = await created()
    const forged = callbackOf(payment, '00').replace('amount=50000', 'amount=5000000')
    expect((await send(forged)).status).toBe(401)
    expect(await statusOf(payment)).toBe('pending')
  })
})

describe('a payment at Duitku is credited with the amount of a status inquiry, not of a callback', () => {
  test('money received at Duitku is credited once, even if its callback is repeated', async () => {
    const payment = await created()
    await simulate(demo, payment, 'paid', { copies: 5 })
    await until('the payment is paid', async () => (await statusOf(payment)) === 'paid')
    await delivered(payment, await sentAbout(payment))
    expect(await creditsOf(payment)).toEqual([5_000_000])
    expect(hooksOf(payment)).toEqual(['payment.paid'])
  })

  test('money received at Duitku is credited even if the callback was changed so that it reports a failure', async () => {
    const payment = await created()
    await simulate(demo, payment, 'paid', { silently: true })
    await delivered(payment, callbackOf(payment, '01'))
    expect(await statusOf(payment)).toBe('paid')
    expect(await creditsOf(payment)).toEqual([5_000_000])
  })

  test('a Duitku callback does not make a payment paid if a status inquiry reports less money', async () => {
    const payment = await created()
    await simulate(demo, payment, 'paid', { amount: 4_000_000, silently: true })
    await delivered(payment, callbackOf(payment, '00'))
    expect(await statusOf(payment)).toBe('challenged')
    expect(await creditsOf(payment)).toEqual([])
  })
})

test('if a Duitku project signs with MD5, charges, callbacks and status inquiries succeed', async () => {
  const md5 = { ...keys, signature: 'md5' }
  await register(demo.sandbox_url, 'duitku', md5, callbackUrl)
  const provider = app.providers.get('duitku') as AnyProvider
  await updateProviderAccount(app, null, provider, shop.accountId, { credentials: md5 })
  const payment = await until('the service signs with MD5', async () => {
    const { status, data } = await shop.create({ amount: 5_000_000 })
    return status === 200 ? (data as Payment) : undefined
  })
  await simulate(demo, payment, 'paid')
  await until('the payment is paid', async () => (await statusOf(payment)) === 'paid')
  expect(await creditsOf(payment)).toEqual([5_000_000])
  const form = new URLSearchParams(await sentAbout(payment))
  const text = ['merchantCode', 'amount', 'merchantOrderId'].map(name => form.get(name)).join('')
  expect(form.get('signature')).toBe(
    createHash('md5')
      .update(text + keys.api_key)
      .digest('hex'),
  )
})
