import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addOrder, closeFakeSandbox, fakeProvider, openFakeSandbox } from '../test/support/fake-provider.ts'
import { call, charge, newOrderId } from '../test/support/merchant.ts'
import { startReceiver, until } from '../test/support/receiver.ts'
import { type Chaos, calm, mischiefOf, timesOut } from './chaos.ts'
import type { NewOrder, Order, Status } from './order.ts'
import type { Sandbox } from './provider.ts'
import { report } from './report.ts'
import { type RunningSandbox, startSandbox } from './server.ts'

let merchant: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  merchant = await startReceiver()
})
beforeEach(() => {
  merchant.received.length = 0
})
afterAll(() => merchant.close())

describe('with the same seed, the sandbox simulates the same random failures again', () => {
  const statuses: Status[] = ['pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged']
  const orders = fc
    .record({
      customer: fc.string({ minLength: 1 }),
      reference: fc.string({ minLength: 1 }),
      status: fc.constantFrom(...statuses),
    })
    .map(known => known as Order)
  const wild: Chaos = {
    seed: 'wild',
    lose: 0.3,
    repeat: 0.3,
    reorder: 0.5,
    forge: 0.5,
    timeOutCreates: 0.3,
    delayMs: 1000,
  }
  const decided = (chaos: Chaos, order: Order) => {
    const { delayMs, ...rest } = mischiefOf(chaos, order)
    return { ...rest, delays: [0, 1, 2].map(delayMs), timesOut: timesOut(chaos, order) }
  }

  test('the random failures of an order with a customer name depend on neither its reference nor earlier orders', () => {
    fc.assert(
      fc.property(fc.array(orders, { maxLength: 20 }), asked => {
        const forth = asked.map(order => decided(wild, order))
        const back = [...asked]
          .reverse()
          .map(order => decided(wild, { ...order, seq: 7, id: 'another', reference: 'R' }))
        expect(back.reverse()).toEqual(forth)
      }),
    )
  })

  const hundred = Array.from(
    { length: 100 },
    (_, number) => ({ customer: '', reference: `R-${number}`, status: 'paid' }) as Order,
  )
  const fates = (chaos: Chaos) => hundred.map(order => decided(chaos, order))

  test('a different seed causes different random failures', () => {
    expect(fates({ ...wild, seed: 'other' })).not.toEqual(fates(wild))
    for (const of of ['lost', 'copies', 'stale', 'timesOut'] as const) {
      expect(new Set(fates(wild).map(fate => fate[of])).size).toBeGreaterThan(1)
    }
    expect(new Set(fates(wild).map(fate => `${fate.forged?.when} ${fate.forged?.claims}`)).size).toBe(5)
    expect(new Set(fates(wild).flatMap(fate => fate.delays)).size).toBeGreaterThan(100)
  })

  test('a random failure with probability 0 never occurs, and one with probability 1 always occurs', () => {
    const quiet = { lost: false, copies: 1, delays: [0, 0, 0], timesOut: false }
    expect(fates({ ...calm, seed: 'x' })).toEqual(hundred.map(() => quiet))
    expect(fates({ ...calm, lose: 1 })).toEqual(hundred.map(() => ({ ...quiet, lost: true })))
    expect(fates({ ...calm, repeat: 1 })).toEqual(hundred.map(() => ({ ...quiet, copies: 5 })))
    expect(fates({ ...calm, timeOutCreates: 1 })).toEqual(hundred.map(() => ({ ...quiet, timesOut: true })))
    for (const fate of fates({ ...calm, forge: 1 })) expect(fate.forged).toBeDefined()
    for (const fate of fates({ ...calm, reorder: 1 })) expect(fate.stale).toBeDefined()
  })

  test('a random failure occurs about as often as configured', () => {
    const lost = Array.from(
      { length: 4000 },
      (_, number) => ({ customer: `${number}`, reference: 'R', status: 'paid' }) as Order,
    )
      .map(order => mischiefOf({ ...calm, lose: 0.25 }, order).lost)
      .filter(Boolean).length
    // On average, 1,000 notifications are lost. The test allows a difference of up to six standard deviations. The seed
    // is fixed, so every run has the same result.
    expect(Math.abs(lost - 1000)).toBeLessThan(165)
  })

  test('a random notification delay never exceeds the configured maximum', () => {
    fc.assert(
      fc.property(orders, fc.nat(5000), fc.nat(4), (order, delayMs, copy) => {
        const drawn = mischiefOf({ ...calm, delayMs }, order).delayMs(copy)
        expect(drawn >= 0 && drawn <= delayMs).toBe(true)
      }),
    )
  })

  test('an outdated notification reports an order as `expired` only if the order is now paid', () => {
    fc.assert(
      fc.property(orders, order => {
        const { stale, lost } = mischiefOf({ ...wild, reorder: 1 }, order)
        if (stale) expect(lost).toBe(false)
        if (stale === 'expired') expect(order.status).toBe('paid')
        expect(stale).not.toBe(order.status)
      }),
    )
  })
})

describe('random failures can lose, repeat, delay, reorder or forge notifications', () => {
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = openFakeSandbox(fakeProvider())
  })
  afterEach(() => closeFakeSandbox(sandbox))

  const paid = (over: Partial<NewOrder> = {}) =>
    addOrder(sandbox, [merchant.url], { status: 'paid', settledAt: 1, ...over })
  const told = () => merchant.received.map(one => one.body)

  test('if a random failure loses a notification, the merchant never receives it, not even through a retry', async () => {
    sandbox.chaos = { ...calm, lose: 1 }
    const order = paid()
    expect(await report(sandbox, order)).toEqual([])
    expect(sandbox.store.notifications.nextRetryAt(order.seq)).toBeNull()
    expect(told()).toEqual([])
  })

  test('with the random failure `repeat`, a notification is sent at least five times', async () => {
    sandbox.chaos = { ...calm, repeat: 1 }
    expect(await report(sandbox, paid())).toHaveLength(5)
    expect(await report(sandbox, paid(), { copies: 7 })).toHaveLength(7)
    expect(told()).toHaveLength(12)
  })

  test('with random delays, every notification still arrives, but the order of arrival changes', async () => {
    sandbox.chaos = { ...calm, delayMs: 50 }
    const orders = Array.from({ length: 20 }, () => paid())
    await Promise.all(orders.map(order => report(sandbox, order)))
    const sent = orders.map(order => order.reference)
    const arrived = told().map(one => one.reference)
    expect([...arrived].sort()).toEqual([...sent].sort())
    expect(arrived).not.toEqual(sent)
  })

  test('if the chaos settings reorder notifications, the sandbox sends an outdated but valid one first', async () => {
    sandbox.chaos = { ...calm, reorder: 1 }
    const order = paid({ recordedCents: 50 })
    await report(sandbox, order)
    expect(told()).toEqual([
      {
        reference: order.reference,
        status: expect.stringMatching(/^(pending|expired)$/),
        cents: 100_000,
        signed: true,
      },
      { reference: order.reference, status: 'paid', cents: 50, signed: true },
    ])
  })

  test('a forged notification has an invalid signature and does not change the order', async () => {
    sandbox.chaos = { ...calm, forge: 1 }
    const seen = new Set<string>()
    let earlier = paid().reference
    for (let number = 0; number < 40; number += 1) {
      merchant.received.length = 0
      const order = addOrder(sandbox, [merchant.url])
      await report(sandbox, order)
      const [forged] = told().filter(one => !one.signed)
      expect(told()).toHaveLength(2)
      expect(forged).toMatchObject({ status: 'paid', cents: 200_000 })
      expect([earlier, order.reference]).toContain(forged.reference)
      seen.add(`${told().indexOf(forged)} ${forged.reference === order.reference}`)
      expect(sandbox.store.findBySeq(order.seq)?.status).toBe('pending')
      earlier = order.reference
    }
    expect([...seen].sort()).toEqual(['0 false', '0 true', '1 false', '1 true'])
  })

  test('the sandbox never sends a merchant a forged notification about another merchant’s order', async () => {
    sandbox.chaos = { ...calm, forge: 1 }
    for (let number = 0; number < 20; number += 1) {
      merchant.received.length = 0
      addOrder(sandbox, [merchant.url], { merchant: 'stranger' })
      const order = addOrder(sandbox, [merchant.url], { merchant: `merchant ${number}` })
      await report(sandbox, order)
      expect(told().map(one => one.reference)).toEqual([order.reference, order.reference])
    }
  })

  test('if a test requests an invalid signature, the notification is sent once, despite configured random failures', async () => {
    sandbox.chaos = { ...calm, lose: 1, repeat: 1, forge: 1 }
    expect(await report(sandbox, paid(), { tampering: { badSignature: true } })).toHaveLength(1)
    expect(told()).toHaveLength(1)
  })

  test('if the merchant rejects outdated and forged notifications, the sandbox does not retry them', async () => {
    const refusing = await startReceiver(() => ({ status: 500 }))
    sandbox.chaos = { ...calm, forge: 1, reorder: 1 }
    await report(sandbox, addOrder(sandbox, [refusing.url], { status: 'paid' }))
    expect(refusing.received).toHaveLength(3)
    const owed = sandbox.store.notifications.claimDue(Date.now() + 1000, 10)
    expect(owed.map(one => [one.order.status, one.tampering])).toEqual([['paid', {}]])
    await refusing.close()
  })
})

describe("a test can set and change the sandbox's random failures", () => {
  let sandbox: RunningSandbox
  beforeEach(async () => {
    const chaos = { ...calm, seed: '1', timeOutCreates: 1 }
    sandbox = await startSandbox({ port: 0, notificationUrl: merchant.url, chaos })
  })
  afterEach(() => sandbox.close())

  const create = (orderId: string, over = {}, signal?: AbortSignal) =>
    fetch(`${sandbox.url}/midtrans/v2/charge`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('SB-Mid-server-test:')}`, 'content-type': 'application/json' },
      body: JSON.stringify(charge(over, orderId)),
      ...(signal && { signal }),
    })
  const requests = async (code: string) =>
    (await call(`${sandbox.url}/requests?payment_code=${code}`)).body.requests
  const chaos = (body: unknown) => call(`${sandbox.url}/chaos`, body, { serverKey: null })

  test('create requests get no response until a test disables the configured random timeouts', async () => {
    const orderId = newOrderId()
    const abort = new AbortController()
    const hanging = create(orderId, {}, abort.signal)
    hanging.catch(() => {})
    await until(async () => (await requests(orderId)).length === 1)
    expect(await requests(orderId)).toMatchObject([{ steering: 'timeout', answered_status: null }])
    expect((await call(`${sandbox.url}/midtrans/v2/${orderId}/status`)).status).toBe(200)
    abort.abort()
    expect((await chaos({})).body).toEqual({
      seed: '',
      lose: 0,
      repeat: 0,
      delay_ms: 0,
      reorder: 0,
      forge: 0,
      time_out_creates: 0,
    })
    expect((await create(newOrderId())).status).toBe(200)
  })

  test('random failures do not change a failure selected by a customer name', async () => {
    const customer_details = { first_name: 'SANDBOX', last_name: 'OUTAGE' }
    expect((await create(newOrderId(), { customer_details })).status).toBe(503)
  })

  test("if a test changes a running sandbox's random failures, the next simulation uses the new settings", async () => {
    const settings = { seed: 42, lose: 1, delay_ms: 5 }
    expect((await chaos(settings)).body).toMatchObject({ seed: '42', lose: 1, delay_ms: 5, repeat: 0 })
    const orderId = newOrderId()
    await create(orderId)
    const answer = await call(`${sandbox.url}/simulate`, { payment_code: orderId, outcome: 'paid' })
    expect(answer.body).toEqual({ callbacks: [] })
    expect((await call(`${sandbox.url}/midtrans/v2/${orderId}/status`)).body.transaction_status).toBe(
      'settlement',
    )
    expect(merchant.received).toEqual([])
  })

  test.each([
    ['lose', { lose: 1.5 }],
    ['delay_ms', { delay_ms: -1 }],
    ['looose', { looose: 1 }],
    ['body', 'no json'],
  ])(
    'settings for random failures with the invalid field "%s" are rejected with a 400 error that names the field',
    async (field, body) => {
      const answer = await chaos(body)
      expect([answer.status, answer.body.field]).toEqual([400, field])
    },
  )
})
