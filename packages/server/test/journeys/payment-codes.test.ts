// Tests that requests about a payment accept its payment code instead of its ID. The Owner can also use the codes of
// other tenants' payments, because merchants and providers quote these codes in support requests.

import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'

let { demo }: TestApp = {} as TestApp
let owner: string
let payment: { id: string; payment_code: string }

beforeAll(async () => {
  ;({ demo } = await testApp())
  owner = await logIn(demo, demo.owner)
  const shop = merchantOf(demo)
  payment = (await shop.create()).data
  await simulate(demo, payment, 'paid', { amount: 9_900_000 })
  await until(
    'the payment is challenged',
    async () => (await shop.get(payment.id)).data.status === 'challenged',
  )
})

const call = (method: string, path: string, auth: string, body?: object) =>
  http(method, demo.base_url + path, { auth, ...(body && { body }) })

test.each(['/v1/provider-callbacks', '/v1/unexpected-money', '/v1/reconciliation-differences'])(
  'the list %s can be filtered by a payment code, in any letter case',
  async path => {
    const idsOf = async (payment: string): Promise<string[]> =>
      (await call('GET', `${path}?payment_id=${payment}`, owner)).data.items.map(
        ({ id }: { id: string }) => id,
      )
    const ids = await idsOf(payment.id)
    // The list of reconciliation differences is empty, because no reconciliation has run.
    expect(ids.length > 0).toBe(path !== '/v1/reconciliation-differences')
    expect(await idsOf(payment.payment_code.toLowerCase())).toEqual(ids)
    expect(await idsOf('GP261120-0000000000')).toEqual([])
    expect(await call('GET', `${path}?payment_id=GP1`, owner)).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('payment_id: must be the UUID') },
    })
  },
)

test('the Owner can poll and resolve another tenant’s payment by its payment code', async () => {
  const unknown = (code: string) => call('POST', `/v1/unknown-payments/${code}/inquire`, owner)
  // The status 409 shows that the service found the payment but rejected the inquiry, because the payment's outcome is
  // already known.
  expect((await unknown(payment.payment_code)).status).toBe(409)
  expect((await unknown('GP261120-0000000000')).status).toBe(404)

  const decision = { decision: 'accept', reason: 'the difference was waived' }
  const resolve = (code: string) => call('POST', `/v1/payments/${code}/resolve`, owner, decision)
  expect((await resolve('GP261120-0000000000')).status).toBe(404)
  expect(await resolve(payment.payment_code.toLowerCase())).toMatchObject({
    status: 200,
    data: { id: payment.id, status: 'paid' },
  })
})
