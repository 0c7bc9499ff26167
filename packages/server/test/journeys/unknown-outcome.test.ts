import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { duePaymentSweep } from '../../src/payments/inquire/sweep-due-payments.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import { type AnyProvider, ProviderError } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { refusal } from '../support/management-api.ts'
import { type Answer, http, logIn, merchantOf, simulate } from '../support/merchant.ts'

const HOUR_S = 3_600

/** The service's clock is frozen unless a test moves it. */
let now = Date.now()
const wait = (seconds: number) => {
  now += seconds * 1_000
}

let charged: 'answered' | 'taken without an answer' | 'not answered' = 'answered'
let isInquiryAnswered = true
let inquiries = 0

/**
 * A provider whose response to a charge is determined by the variable `charged`. If the provider does not
 * respond, it has either accepted the charge or created no order.
 */
const lossy: AnyProvider = {
  ...midtrans,
  async charge(account, charge) {
    if (charged === 'not answered') throw new ProviderError('unknown', 'no answer within 10 s')
    const accepted = await midtrans.charge(account, charge)
    if (charged === 'answered') return accepted
    throw new ProviderError('unknown', 'no answer within 10 s')
  },
  async inquire(account, inquiry) {
    inquiries += 1
    if (!isInquiryAnswered) throw new ProviderError('unavailable', 'could not be reached')
    return midtrans.inquire(account, inquiry)
  },
}

let { app, demo }: TestApp = {} as TestApp
let shop: ReturnType<typeof merchantOf>

beforeAll(async () => {
  const overrides: Partial<App> = {
    clock: () => new Date(now),
    providers: new Map([...providers, ['midtrans', lossy]]),
    // The circuit breaker never opens in this test, so every charge goes to this provider, even if many
    // responses are lost.
    health: {
      monitor: (_, __, call) => call(),
      exceededChargeLimit: () => undefined,
      reserveCharge: () => undefined,
      isOpen: () => false,
      isClosed: () => true,
      all: () => [],
      stop: () => {},
    },
  }
  ;({ app, demo } = await testApp({ worker: false, overrides }))
  shop = merchantOf(demo)
})

/**
 * Calls an operation as the Owner (the operator). Each call logs in again, because access tokens expire after
 * 15 minutes and the tests move the clock by days.
 */
const owner = async (method: string, path: string, body?: object) =>
  http(method, demo.base_url + path, { auth: await logIn(demo, demo.owner), ...(body && { body }) })

type Unknown = { payment_id: string; payment_code: string; next_inquiry_at: string | null }

async function unknown(
  how: Exclude<typeof charged, 'answered'> = 'taken without an answer',
  { key = randomUUID() as string, merchant = shop } = {},
): Promise<Unknown> {
  charged = how
  const answer = await merchant.create({}, key)
  charged = 'answered'
  expect(answer.error?.code).toBe('PROVIDER_ERROR')
  const { rows } = await app.db.raw('select id from payments where idempotency_key = ?', [key])
  return (await listed()).find(each => each.payment_id === rows[0].id) as Unknown
}

const listed = async (): Promise<(Unknown & Record<string, unknown>)[]> =>
  (await owner('GET', '/v1/unknown-payments?mode=test&limit=100')).data.items
const find = async ({ payment_id }: Unknown) => (await listed()).find(each => each.payment_id === payment_id)
const inquire = ({ payment_id }: Unknown) => owner('POST', `/v1/unknown-payments/${payment_id}/inquire`)
const resolve = ({ payment_id }: Unknown, body: object = {}) =>
  owner('POST', `/v1/unknown-payments/${payment_id}/resolve`, {
    decision: 'not_created',
    reason: 'not in their dashboard',
    ...body,
  })
const lastAct = async () => (await owner('GET', '/v1/audit-log?limit=1')).data.items[0]

async function checkWhatIsDue(): Promise<void> {
  const checks = duePaymentSweep(app)
  while (await checks.begin());
  await checks.ended()
}

test('72 hours after a charge, an operator’s status inquiry can still find the outcome of the charge', async () => {
  isInquiryAnswered = false
  const payment = await unknown()
  const charge = {
    tenant_id: demo.client.tenant_id,
    payment_code: payment.payment_code,
    reference: payment.payment_code,
    provider: 'midtrans',
    amount: 10_000_000,
    mode: 'test',
    since: new Date(now).toISOString(),
    reason: 'no answer within 10 s',
  }
  expect(payment).toMatchObject({ ...charge, waits_for_operator: false })

  const begun = now
  const asked: number[] = []
  for (let next = payment.next_inquiry_at; next !== null; ) {
    const pauseSeconds = (Date.parse(next) - now) / 1_000
    asked.push((Date.parse(next) - begun) / 1_000)
    // A status inquiry is sent exactly at its scheduled time, not one second earlier.
    inquiries = 0
    wait(pauseSeconds - 1)
    await checkWhatIsDue()
    expect(inquiries).toBe(0)
    wait(1)
    await checkWhatIsDue()
    expect(inquiries).toBe(1)
    next = (await find(payment))?.next_inquiry_at as string | null
  }
  const hours = Array.from({ length: 72 }, (_, n) => (n + 1) * HOUR_S)
  expect(asked).toEqual([5, 15, 60, 300, ...hours])

  wait(1_000 * HOUR_S)
  await checkWhatIsDue()
  expect(inquiries).toBe(1)
  expect(await find(payment)).toMatchObject({ ...charge, next_inquiry_at: null, waits_for_operator: true })
  expect((await inquire(payment)).data).toMatchObject({ outcome: 'unknown', reason: charge.reason })

  isInquiryAnswered = true
  await simulate(demo, payment, 'paid', { silently: true })
  const before = await shop.balance()
  expect((await inquire(payment)).data).toEqual({
    tenant_id: demo.client.tenant_id,
    payment_id: payment.payment_id,
    payment_code: payment.payment_code,
    outcome: 'paid',
    reason: null,
  })
  expect(await shop.balance()).toBe(before + 10_000_000)
  expect(await find(payment)).toBeUndefined()
  expect(await lastAct()).toMatchObject({
    action: 'unknown_payment.inquire',
    tenant_id: demo.client.tenant_id,
    subject_id: payment.payment_id,
    before: { status: 'unknown' },
    after: { status: 'paid' },
  })
})

describe('an operator can make a status inquiry for a charge with an unknown outcome', () => {
  test('if an operator’s status inquiry finds that the provider accepted a charge, the payment becomes pending', async () => {
    const payment = await unknown()
    expect((await inquire(payment)).data).toMatchObject({ outcome: 'pending', reason: null })
    expect((await shop.get(payment.payment_id)).data.status).toBe('pending')
    expect(refusal(await inquire(payment))).toEqual([
      409,
      'CONFLICT',
      'conflict: the outcome of this payment is already known: it is pending',
    ])
  })

  test('an operator’s status inquiry reports `not_created` only once the charge can no longer reach the provider', async () => {
    const payment = await unknown('not answered')
    expect((await inquire(payment)).data.outcome).toBe('unknown')
    wait(20)
    expect((await inquire(payment)).data).toMatchObject({
      outcome: 'not_created',
      reason: 'the provider has no such order',
    })
    expect(refusal(await inquire(payment))[2]).toBe(
      'conflict: the outcome of this payment is already known: nothing was created, the provider has no such order',
    )
  })
})

describe("an operator can enter a charge's outcome after checking with the provider", () => {
  test('a repeated request charges again once an operator confirms that the charge created no order', async () => {
    const key = randomUUID()
    const payment = await unknown('not answered', { key })
    expect((await resolve(payment)).data).toMatchObject({
      payment_id: payment.payment_id,
      outcome: 'not_created',
      reason: 'not in their dashboard',
    })
    expect(await lastAct()).toMatchObject({
      action: 'unknown_payment.resolve',
      subject_id: payment.payment_id,
      tenant_id: demo.client.tenant_id,
      before: { status: 'unknown' },
      after: { status: 'uncharged', decision: 'not_created', reason: 'not in their dashboard' },
    })
    const again = await shop.create({}, key)
    expect(again.data).toMatchObject({ id: payment.payment_id, status: 'pending' })
    const attempts = (await shop.call('GET', `/v1/payments/${payment.payment_id}/attempts`)).data
    expect(attempts).toMatchObject([
      {
        number: 1,
        provider: 'midtrans',
        reference: payment.payment_code,
        outcome: 'not_created',
        reason: 'not in their dashboard',
        ended_at: new Date(now).toISOString(),
      },
      {
        number: 2,
        reference: `${payment.payment_code}-2`,
        outcome: 'accepted',
        reason: null,
        ended_at: null,
      },
    ])
    const stranger = merchantOf(demo, demo.client2.test_key)
    expect((await stranger.call('GET', `/v1/payments/${payment.payment_id}/attempts`)).status).toBe(404)
  })

  test("if several operators enter a charge's outcome at the same time, only one succeeds", async () => {
    const payment = await unknown('not answered')
    const auth = await logIn(demo, demo.owner)
    const url = `${demo.base_url}/v1/unknown-payments/${payment.payment_id}/resolve`
    const body = { decision: 'not_created', reason: 'nothing there' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => http('POST', url, { auth, body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test("an operator can enter a charge's outcome only with a reason, and only while the outcome is unknown", async () => {
    const payment = await unknown()
    for (const [body, name] of [
      [{ reason: ' ' }, 'reason'],
      [{ decision: 'paid' }, 'decision'],
    ] as const) {
      const { status, error } = await resolve(payment, body)
      expect([status, error.message]).toEqual([400, expect.stringMatching(`^bad request: ${name}: `)])
    }
    for (const payment_id of [randomUUID(), 'none']) {
      expect((await resolve({ ...payment, payment_id })).status).toBe(404)
      expect((await inquire({ ...payment, payment_id })).status).toBe(404)
    }
    await inquire(payment)
    expect((await resolve(payment)).status).toBe(409)
    expect((await shop.get(payment.payment_id)).data.status).toBe('pending')
  })
})

test('the list of charges with an unknown outcome covers all tenants and starts with the oldest charge', async () => {
  const other = merchantOf(demo, demo.client2.test_key)
  const made: Unknown[] = []
  for (const merchant of [other, shop, shop, other, shop]) {
    made.push(await unknown('not answered', { merchant }))
    // The first two charges have the same time but different tenants, so that the test also covers the order
    // of such charges in the list.
    if (made.length !== 1) wait(1)
  }
  const all = await listed()
  const times = all.map(each => each.since as string)
  expect(times).toEqual(times.toSorted())
  expect(all.map(each => each.payment_id)).toEqual(expect.arrayContaining(made.map(each => each.payment_id)))

  const paged: string[] = []
  let cursor = ''
  do {
    const { data } = await owner('GET', `/v1/unknown-payments?mode=test&limit=1${cursor}`)
    paged.push(...data.items.map((each: Answer['data']) => each.payment_id))
    cursor = data.next_cursor ? `&cursor=${data.next_cursor}` : ''
  } while (cursor !== '')
  expect(paged).toEqual(all.map(each => each.payment_id))
  for (const none of ['none', Buffer.from('a b c').toString('base64url')])
    expect((await owner('GET', `/v1/unknown-payments?cursor=${none}`)).status).toBe(400)
})
