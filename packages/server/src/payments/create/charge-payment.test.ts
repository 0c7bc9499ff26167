// Tests which requests `chargePayment` sends to the provider, and which event it records for each response.

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { alwaysHealthy } from '../../../test/support/always-healthy.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import {
  type AcceptedCharge,
  type AnyProvider,
  type Charge,
  ProviderError,
} from '../../providers/provider.ts'
import type { Candidate } from '../../routing/route.ts'
import { newId } from '../../values/id.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { chargePayment } from './charge-payment.ts'
import { CHARGE_ENDS_AFTER_MS, CHARGE_STARTS_WITHIN_MS } from './idempotency.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)

let { app, state } = recordingApp(db)
let charge: (accountId: string, request: Charge) => Promise<AcceptedCharge>
let charged: { accountId: string; request: Charge }[]
beforeEach(() => {
  ;({ app, state } = recordingApp(db))
  charged = []
  charge = async () => accepted
  state.provider = {
    charge: (async (account: { id: string }, request: Charge) => {
      charged.push({ accountId: account.id, request })
      return charge(account.id, request)
    }) as AnyProvider['charge'],
  }
})

const instructions = { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' } as const
const accepted: AcceptedCharge = { providerPaymentId: 'p-1', methodData: instructions }
const fails =
  (kind: ProviderError['kind'], message = 'could not be reached') =>
  async () => {
    throw new ProviderError(kind, message)
  }
async function charging(overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = makePayment({
    ...{ tenantId, status: 'charging', transitionCount: 0, methodData: null, providerPaymentId: null },
    ...overrides,
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
const candidate = () => ({ accountId: newId(), provider: { ...midtrans, code: 'xendit' } }) as Candidate
const stored = async ({ id }: Payment): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, id, null)) as Payment
const timelineOf = async ({ id }: Payment) =>
  (
    await db.raw(
      'select to_status as "to", cause, detail from payment_transitions where payment_id = ? order by number',
      [id],
    )
  ).rows

test("a charge request to the provider contains the merchant's order and the callback address", async () => {
  app.publicIp = '203.0.113.7'
  const payment = await charging({
    customerIp: '198.51.100.4',
    returnUrl: 'https://shop.example.com/thanks',
    items: [{ id: 'b', name: 'Beras', price: 100_000, quantity: 1 }],
  })
  await chargePayment(app, payment, [])
  expect(charged).toEqual([
    {
      accountId: payment.providerAccountId,
      request: {
        reference: payment.paymentCode,
        amount: payment.amount,
        channel: 'bca',
        methodDetail: { type: 'virtual_account', bank: 'BCA' },
        customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
        items: [{ id: 'b', name: 'Beras', price: 100_000, quantity: 1 }],
        startedAt: now,
        expiryMinutes: 60,
        callbackUrl: `https://pay.example.com/v1/callbacks/midtrans/${payment.providerAccountId}`,
        returnUrl: 'https://shop.example.com/thanks',
        customerIp: '198.51.100.4',
        serviceIp: '203.0.113.7',
      },
    },
  ])
})

test("a charge request omits the payer's and the service's IP address if they are unknown", async () => {
  await chargePayment(app, await charging(), [])
  expect(charged[0]?.request).not.toHaveProperty('customerIp')
  expect(charged[0]?.request).not.toHaveProperty('serviceIp')
})

test('each charge is recorded, with its tenant, in the health statistics of its provider account', async () => {
  const watch = vi.fn(alwaysHealthy.monitor)
  app.health.monitor = watch as ProviderHealth['monitor']
  const payment = await charging()
  await chargePayment(app, payment, [])
  const watched = { accountId: payment.providerAccountId, providerCode: 'midtrans', tenantId }
  expect(watch).toHaveBeenCalledExactlyOnceWith(watched, 'charge', expect.any(Function))
})

describe('a charge is sent only within five seconds of the start of its attempt', () => {
  const isTooLate = {
    status: 'uncharged',
    attempt: 1,
    failureReason: 'the charge was not sent, because the database was too slow',
  }

  test('a charge is still sent if exactly five seconds, the time limit, have passed since its attempt started', async () => {
    state.at = later(CHARGE_STARTS_WITHIN_MS)
    expect(await chargePayment(app, await charging(), [])).toMatchObject({ status: 'pending' })
  })

  test('a payment that takes too long to store is not charged until the request is repeated', async () => {
    const payment = await charging()
    state.at = later(CHARGE_STARTS_WITHIN_MS + 1)
    expect(await chargePayment(app, payment, [candidate()])).toMatchObject(isTooLate)
    expect(await stored(payment)).toMatchObject(isTooLate)
    expect(charged).toEqual([])
  })

  test('if loading the provider account took too long, no charge is sent', async () => {
    const { accountOf } = app
    app.accountOf = async id => {
      state.at = later(CHARGE_STARTS_WITHIN_MS + 1)
      return accountOf(id)
    }
    expect(await chargePayment(app, await charging(), [])).toMatchObject(isTooLate)
    expect(charged).toEqual([])
  })

  test('after a failover, no charge is sent if storing the charge attempt took too long', async () => {
    charge = fails('unavailable')
    const { recordInBatch } = app
    app.recordInBatch = async event => {
      const recorded = await recordInBatch(event)
      if (event.cause === 'failover') state.at = later(CHARGE_STARTS_WITHIN_MS + 1)
      return recorded
    }
    const payment = await charging()
    expect(await chargePayment(app, payment, [candidate()])).toMatchObject({ ...isTooLate, attempt: 2 })
    expect(charged.map(each => each.accountId)).toEqual([payment.providerAccountId])
  })

  test('a charge that is not sent in time does not overwrite a status from another process', async () => {
    const payment = await charging()
    await app.recordInBatch({
      ...{ tenantId, paymentId: payment.id, cause: 'test' },
      event: { type: 'outcome_unknown', reason: 'the charge was interrupted', nextCheckAt: later(5_000) },
    })
    state.at = later(25_000)
    expect(await chargePayment(app, payment, [])).toMatchObject({ status: 'unknown' })
    expect(charged).toEqual([])
  })
})

test("a charge at an unknown provider account fails with an error that contains the account's ID", async () => {
  app.accountOf = async () => undefined as never
  const payment = await charging()
  await expect(chargePayment(app, payment, [])).rejects.toThrow(payment.providerAccountId)
})

describe('the service records the outcome of a charge as an event', () => {
  test("when the provider accepts a charge, the recorded event contains the payment instructions and the provider's payment ID", async () => {
    const payment = await charging()
    expect(await chargePayment(app, payment, [])).toEqual(await stored(payment))
    expect(await stored(payment)).toMatchObject({
      status: 'pending',
      providerPaymentId: 'p-1',
      methodData: instructions,
    })
    expect(await timelineOf(payment)).toEqual([{ to: 'pending', cause: 'create', detail: null }])
  })

  test.each([
    ['declined', 'rejected'],
    ['invalid', 'rejected'],
    ['inactive', 'rejected'],
    ['unavailable', 'uncharged'],
  ] as const)(
    'a charge that fails with the error %s sets the payment status %s and stores the reason',
    async (kind, status) => {
      charge = fails(kind)
      const payment = await charging()
      expect(await chargePayment(app, payment, [])).toMatchObject({
        status,
        failureReason: 'could not be reached',
      })
      expect(await stored(payment)).toMatchObject({ status })
    },
  )

  test('if the provider does not respond to a charge, an inquiry is due after five seconds', async () => {
    charge = async () => {
      state.at = later(20_000)
      throw new ProviderError('unknown', 'no answer within 10 s')
    }
    const payment = await charging()
    await chargePayment(app, payment, [candidate()])
    expect(await stored(payment)).toMatchObject({
      status: 'unknown',
      attempt: 1,
      failureReason: 'no answer within 10 s',
      nextCheckAt: later(25_000),
    })
    expect(charged).toHaveLength(1)
  })

  test('a charge that ends with an internal error has an unknown outcome', async () => {
    const warn = vi.spyOn(app.log, 'warn')
    const fault = new TypeError('cannot read properties of undefined')
    charge = async () => {
      throw fault
    }
    const payment = await charging()
    await chargePayment(app, payment, [])
    expect(await stored(payment)).toMatchObject({
      status: 'unknown',
      failureReason: 'its answer could not be read',
    })
    const fields = {
      err: fault,
      tenantId,
      paymentId: payment.id,
      provider: 'midtrans',
      attempt: 1,
      kind: 'unknown',
    }
    expect(warn).toHaveBeenCalledExactlyOnceWith(fields, expect.any(String))
  })
})

test.each([
  ['accepted', 2, 'pending'],
  ['not accepted', 1, 'charging'],
] as const)(
  "if the database is unavailable when a charge's outcome (%s) is first written, the service makes %i attempts in total, and the payment is then %s",
  async (outcome, expectedWrites, status) => {
    if (outcome === 'not accepted') charge = fails('declined')
    const { recordInBatch } = app
    const write = vi.fn(recordInBatch)
    write.mockRejectedValueOnce(Object.assign(new Error('the database is shutting down'), { code: '57P01' }))
    app.recordInBatch = write
    const payment = await charging()
    await chargePayment(app, payment, []).catch(() => {})
    expect(write).toHaveBeenCalledTimes(expectedWrites)
    expect(await stored(payment)).toMatchObject({ status })
    expect(charged).toHaveLength(1)
  },
)

describe('a charge that created no order is retried at another provider account', () => {
  test.each(['unavailable', 'inactive'] as const)(
    'a charge that created no order (%s) is retried at the next provider account',
    async kind => {
      const payment = await charging()
      const next = candidate()
      charge = async accountId => {
        if (accountId === payment.providerAccountId) throw new ProviderError(kind, 'is closed')
        expect(await stored(payment)).toMatchObject({ nextCheckAt: later(CHARGE_ENDS_AFTER_MS) })
        return accepted
      }
      expect(await chargePayment(app, payment, [next, candidate()])).toMatchObject({
        status: 'pending',
        attempt: 2,
        provider: 'xendit',
        providerAccountId: next.accountId,
      })
      expect(charged.map(({ request }) => request.reference)).toEqual([
        payment.paymentCode,
        `${payment.paymentCode}-2`,
      ])
      const { rows } = await db.raw(
        'select reference, reason from payment_references where payment_id = ? order by number',
        [payment.id],
      )
      expect(rows).toEqual([
        { reference: payment.paymentCode, reason: 'is closed' },
        { reference: `${payment.paymentCode}-2`, reason: null },
      ])
      expect(await timelineOf(payment)).toEqual([
        { to: 'charging', cause: 'failover', detail: 'midtrans: is closed' },
        { to: 'pending', cause: 'create', detail: null },
      ])
    },
  )

  test('a charge that created no order is retried first at the accounts whose circuit breaker is closed', async () => {
    const [away, well] = [candidate(), candidate()]
    app.health.isOpen = id => id === away.accountId
    charge = fails('unavailable')
    const payment = await charging()
    await chargePayment(app, payment, [away, well])
    expect(charged.map(each => each.accountId)).toEqual([
      payment.providerAccountId,
      well.accountId,
      away.accountId,
    ])
  })

  test('if the provider created no order and other accounts are at capacity, the idempotency key can be reused', async () => {
    const [full, roomy] = [candidate(), candidate()]
    app.health.exceededChargeLimit = ({ accountId }) => (accountId === full.accountId ? 'own' : undefined)
    charge = fails('inactive')
    expect(await chargePayment(app, await charging(), [full])).toMatchObject({
      status: 'uncharged',
      attempt: 1,
    })
    const payment = await charging()
    charged = []
    await chargePayment(app, payment, [full, roomy])
    expect(charged.map(each => each.accountId)).toEqual([payment.providerAccountId, roomy.accountId])
  })

  test('a payment that failed at every account can be charged again only if one was temporarily unavailable', async () => {
    const payment = await charging()
    charge = async accountId => {
      throw new ProviderError(accountId === payment.providerAccountId ? 'unavailable' : 'inactive', 'not now')
    }
    expect(await chargePayment(app, payment, [candidate()])).toMatchObject({ status: 'uncharged' })
    charge = fails('inactive')
    expect(await chargePayment(app, await charging(), [candidate()])).toMatchObject({ status: 'rejected' })
  })

  test.each(['declined', 'invalid'] as const)(
    'a payment is rejected if the first provider account is unavailable and the next account refuses the charge with the error %s',
    async kind => {
      const payment = await charging()
      charge = async accountId => {
        throw new ProviderError(
          accountId === payment.providerAccountId ? 'unavailable' : kind,
          'not this one',
        )
      }
      expect(await chargePayment(app, payment, [candidate()])).toMatchObject({
        status: 'rejected',
        attempt: 2,
      })
    },
  )

  test('if another process changes the payment during a charge, no other account is charged', async () => {
    const payment = await charging()
    charge = async () => {
      await app.recordInBatch({
        ...{ tenantId, paymentId: payment.id, cause: 'test' },
        event: { type: 'outcome_unknown', reason: 'the charge was interrupted', nextCheckAt: later(5_000) },
      })
      throw new ProviderError('unavailable', 'could not be reached')
    }
    await chargePayment(app, payment, [candidate()])
    expect(charged).toHaveLength(1)
    expect(await stored(payment)).toMatchObject({ status: 'unknown', attempt: 1 })
  })
})

test('a payment declined by its provider is not charged at another provider account', async () => {
  charge = fails('declined', 'the amount is too large')
  expect(await chargePayment(app, await charging(), [candidate()])).toMatchObject({
    status: 'rejected',
    attempt: 1,
    failureReason: 'the amount is too large',
  })
})

test("after an unknown outcome, a charge's late acceptance is applied, but a late failure is ignored", async () => {
  const interrupt = ({ id }: Payment) =>
    app.recordInBatch({
      ...{ tenantId, paymentId: id, cause: 'test' },
      event: { type: 'outcome_unknown', reason: 'the charge was interrupted', nextCheckAt: later(5_000) },
    })
  for (const [answer, status] of [
    [async () => accepted, 'pending'],
    [fails('declined'), 'unknown'],
  ] as const) {
    const payment = await charging()
    charge = async () => {
      await interrupt(payment)
      return answer()
    }
    await chargePayment(app, payment, [])
    expect(await stored(payment)).toMatchObject({ status })
  }
})
