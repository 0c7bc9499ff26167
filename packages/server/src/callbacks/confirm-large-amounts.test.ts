// Tests callbacks that report a large amount and are authenticated only by a static token. A status inquiry must confirm
// the money. The provider is a test double.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import {
  insertPendingPayment,
  later,
  makePayment,
  makeTenant,
  noCallbackRules,
  now,
} from '../../test/support/make.ts'
import { staticTokenCallbacks } from '../../test/support/static-token-callbacks.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { listRecordsOfPayments } from '../payments/record/unexpected-money.sql.ts'
import {
  type CallbackUpdate,
  type Inquiry,
  type InquiryResult,
  ProviderError,
} from '../providers/provider.ts'
import { newId } from '../values/id.ts'

type Fact = Exclude<InquiryResult, string>['fact']
type Ending = Extract<Fact, { type: 'expired' | 'cancelled' | 'failed' }>

const { db } = await testDatabase()
const account = newId()
let clock: Date
let inquireAbove: bigint
let response: (inquiry: Inquiry) => Promise<InquiryResult>
const { applyOne, received } = staticTokenCallbacks(db, {
  clock: () => clock,
  rules: () => ({ ...noCallbackRules, inquireAbove }),
  inquire: inquiry => response(inquiry),
})
beforeEach(() => {
  clock = now
  inquireAbove = 9_999_999n
})

const pending = async () =>
  insertPendingPayment(db, {
    tenantId: await makeTenant(db),
    providerAccountId: account,
    providerPaymentId: newId(),
  })
const ended = async (event: PaymentEvent) => {
  const payment = await pending()
  const { tenantId, id: paymentId } = payment
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'test' }], now))
  return payment
}
const reported = (
  { paymentCode: reference }: Payment,
  amountPaid = 10_000_000n,
  receipt = 'forged',
): CallbackUpdate => ({
  reference,
  providerPaymentId: 'forged',
  fact: { type: 'paid', amountPaid, receipt },
})
const says = (result: 'absent' | 'not_reported' | Fact) => {
  response = async ({ reference }) =>
    typeof result === 'string' ? result : { reference, providerPaymentId: 'P-5', fact: result }
}
const pass = (ms: number) => {
  clock = later(clock.getTime() - now.getTime() + ms)
}
/** Applies a callback that was received a minute ago, so that the result of the status inquiry is final. */
const settled = async (update: CallbackUpdate): Promise<string> => {
  const id = await received(account, update)
  pass(60_000)
  await applyOne(id)
  return id
}

const callbackOf = async (id: string): Promise<{ status: string; reason: string | null }> =>
  (await db.raw('select status, reason from provider_callbacks where id = ?', [id])).rows[0]
const stateOf = async ({ tenantId, id }: Payment) => ({
  status: (await findPaymentInBatch(db, tenantId, id, null))?.status,
  entries: (await listEntriesOfPayment(db, tenantId, id)).map(({ amount }) => amount),
})
const recordsOf = async ({ tenantId, id }: Payment) =>
  (await db.transaction(tx => listRecordsOfPayments(tx, [{ tenantId, paymentId: id }]))).map(
    ({ kind, status, amount, receipt }) => [kind, status, amount, receipt],
  )
const endings: [Ending['type'], Ending][] = [
  ['expired', { type: 'expired' }],
  ['cancelled', { type: 'cancelled' }],
  ['failed', { type: 'failed', reason: 'deny' }],
]
const unconfirmed = [['unconfirmed', 'open', 90_000_000n, 'forged']]
const waitsForOwner = {
  status: 'refused',
  reason: 'the provider has not confirmed this money; it waits for the Owner',
}

test('above the limit for unconfirmed callbacks, the amount from a status inquiry is credited', async () => {
  const payment = await pending()
  says({ type: 'paid', amountPaid: 10_000_000n, receipt: 'true' })
  await applyOne(await received(account, reported(payment, 90_000_000n)))
  expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [10_000_000n] })
  expect(await findPaymentInBatch(db, payment.tenantId, payment.id, null)).toMatchObject({
    receipt: 'true',
  })
})

test('an amount within the limit for unconfirmed callbacks is credited without a status inquiry', async () => {
  const payment = await pending()
  response = async () => {
    throw new Error('the provider must not be polled')
  }
  inquireAbove = 10_000_000n
  await applyOne(await received(account, reported(payment)))
  expect((await stateOf(payment)).status).toBe('paid')
})

describe('a result that does not confirm a large amount is final only a minute after the callback', () => {
  test.each<[string, PaymentEvent | undefined]>([['pending', undefined], ...endings])(
    'a large amount for a payment that is %s is credited if a later status inquiry confirms it',
    async (_, event) => {
      const payment = event ? await ended(event) : await pending()
      const id = await received(account, reported(payment, 90_000_000n))
      for (const [ms, result] of [
        [2_000, { type: 'pending' }],
        [4_000, { type: 'expired' }],
        [8_000, { type: 'failed', reason: 'deny' }],
        [16_000, { type: 'cancelled' }],
      ] as const) {
        says(result)
        await expect(applyOne(id)).rejects.toThrow('the provider does not confirm the payment yet')
        expect(await callbackOf(id)).toMatchObject({ status: 'received' })
        expect(await recordsOf(payment)).toEqual([])
        pass(ms)
      }
      says({ type: 'paid', amountPaid: 90_000_000n, receipt: 'forged' })
      await applyOne(id)
      expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [90_000_000n] })
      expect(await recordsOf(payment)).toEqual([[event ? 'late' : 'overpaid', 'open', 90_000_000n, 'forged']])
    },
  )

  test.each(['not_reported', 'absent'] as const)(
    'if a status inquiry returns `%s`, the callback is retried until it is a minute old',
    async result => {
      const payment = await pending()
      says(result)
      const id = await received(account, reported(payment))
      await expect(applyOne(id)).rejects.toThrow('the provider does not confirm the payment yet')
      expect(await callbackOf(id)).toMatchObject({ status: 'received' })
      pass(60_000)
      await applyOne(id)
      expect(await callbackOf(id)).not.toMatchObject({ status: 'received' })
    },
  )
})

describe('an open payment is not credited with a large amount that the provider does not confirm', () => {
  test('if the provider has no such order, nothing changes', async () => {
    const payment = await pending()
    says('absent')
    const id = await settled(reported(payment))
    expect(await callbackOf(id)).toEqual({
      status: 'ignored',
      reason: 'status inquiry: the provider has no such payment',
    })
    expect(await stateOf(payment)).toEqual({ status: 'pending', entries: [] })
    expect(await recordsOf(payment)).toEqual([])
  })

  test('if the provider still lists the order as pending, nothing changes', async () => {
    const payment = await pending()
    says({ type: 'pending' })
    await settled(reported(payment))
    expect(await stateOf(payment)).toEqual({ status: 'pending', entries: [] })
    expect(await recordsOf(payment)).toEqual([])
  })

  test('if the provider reports no status, the payment is challenged (held for review)', async () => {
    const payment = await pending()
    says('not_reported')
    await settled(reported(payment))
    expect(await stateOf(payment)).toEqual({ status: 'challenged', entries: [] })
  })

  test.each(endings)(
    'if the provider reports the order as %s, the payment gets this status and the money waits for the operator',
    async (status, result) => {
      const payment = await pending()
      says(result)
      const id = await settled(reported(payment, 90_000_000n))
      expect(await callbackOf(id)).toEqual({ status: 'applied', reason: null })
      expect(await stateOf(payment)).toEqual({ status, entries: [] })
      expect(await recordsOf(payment)).toEqual(unconfirmed)
    },
  )
})

describe('a large amount for an earlier charge attempt waits for the operator if the provider does not confirm it', () => {
  /** A payment that was charged again at the same account, so that it is now pending under another order reference. */
  const chargedAgain = async () => {
    const payment = makePayment({
      ...{ tenantId: await makeTenant(db), providerAccountId: account, status: 'charging' },
      ...{ methodData: null, providerPaymentId: null, transitionCount: 0 },
    })
    await insertPaymentInBatch(db, payment)
    const { tenantId, id: paymentId, methodData: _ } = payment
    const events: PaymentEvent[] = [
      {
        ...{ type: 'charge_started', provider: 'xendit', providerAccountId: account },
        ...{ reason: 'could not be reached', expiresAt: payment.expiresAt, nextCheckAt: later(60_000) },
      },
      { type: 'accepted', providerPaymentId: newId(), methodData: { type: 'qr', qr_string: 'q' } as never },
    ]
    for (const event of events)
      await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'test' }], now))
    return payment
  }

  test.each([
    ['absent', 'absent'],
    ['not_reported', 'not_reported'],
    ['pending', { type: 'pending' }],
  ] as const)(
    'the payment stays pending for the latest attempt, and the money gets one record, if the inquiry result is `%s`',
    async (_, result) => {
      const payment = await chargedAgain()
      says(result)
      const id = await settled(reported(payment, 90_000_000n))
      expect(await callbackOf(id)).toEqual(waitsForOwner)
      expect(await stateOf(payment)).toEqual({ status: 'pending', entries: [] })
      expect(await recordsOf(payment)).toEqual(unconfirmed)
      const repeated = await settled(reported(payment, 90_000_000n))
      expect((await callbackOf(repeated)).status).toBe('repeated')
      expect(await recordsOf(payment)).toEqual(unconfirmed)
    },
  )

  test('if the provider confirms the money later, it pays the payment, and its record is closed', async () => {
    const payment = await chargedAgain()
    says({ type: 'pending' })
    await settled(reported(payment, 90_000_000n))
    says({ type: 'paid', amountPaid: 90_000_000n, receipt: 'forged' })
    await settled(reported(payment, 90_000_000n))
    expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [90_000_000n] })
    expect(await recordsOf(payment)).toEqual([
      ['unconfirmed', 'dismissed', 90_000_000n, 'forged'],
      ['overpaid', 'open', 90_000_000n, 'forged'],
    ])
  })
})

describe('a large amount for a payment that has ended waits for the operator if the provider does not confirm it', () => {
  const results = ['absent', 'not_reported', { type: 'pending' }, ...endings.map(([, fact]) => fact)] as const

  test.each(
    endings.flatMap(([status, event]) =>
      results.map(
        result => [status, typeof result === 'string' ? result : result.type, event, result] as const,
      ),
    ),
  )(
    'a payment that is %s keeps its status, and the money gets one record, if the inquiry result is `%s`',
    async (status, _, event, result) => {
      const payment = await ended(event)
      says(result)
      const id = await settled(reported(payment, 90_000_000n))
      expect(await callbackOf(id)).toEqual(waitsForOwner)
      expect(await stateOf(payment)).toEqual({ status, entries: [] })
      expect(await recordsOf(payment)).toEqual(unconfirmed)
      const repeated = await settled(reported(payment, 90_000_000n))
      expect((await callbackOf(repeated)).status).toBe('repeated')
      expect(await recordsOf(payment)).toEqual(unconfirmed)
    },
  )

  test('a record is created for money other than the money that paid the payment', async () => {
    const payment = await pending()
    says({ type: 'paid', amountPaid: 10_000_000n, receipt: 'true' })
    await settled(reported(payment))
    says('not_reported')
    await settled(reported(payment, 10_000_000n, 'true'))
    expect(await recordsOf(payment)).toEqual([])
    await settled(reported(payment, 90_000_000n))
    expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [10_000_000n] })
    expect(await recordsOf(payment)).toEqual(unconfirmed)
  })

  test('money that the provider took back gets a record only if the provider no longer reports the failure', async () => {
    const payment = await pending()
    says({ type: 'paid', amountPaid: 10_000_000n, receipt: 'true' })
    await settled(reported(payment, 10_000_000n, 'true'))
    says({ type: 'failed', reason: 'deny' })
    for (const _ of ['reversal', 'repetition']) {
      await settled(reported(payment, 10_000_000n, 'true'))
      expect(await recordsOf(payment)).toEqual([['reversal', 'open', 10_000_000n, 'true']])
    }
    says('not_reported')
    await settled(reported(payment, 10_000_000n, 'true'))
    expect(await recordsOf(payment)).toEqual([
      ['reversal', 'open', 10_000_000n, 'true'],
      ['unconfirmed', 'open', 10_000_000n, 'true'],
    ])
  })

  test('if the provider does not respond to the status inquiry, the record is created after an hour', async () => {
    const payment = await ended({ type: 'expired' })
    response = async () => {
      throw new ProviderError('unknown', 'no answer')
    }
    const id = await received(account, reported(payment, 90_000_000n))
    await expect(applyOne(id)).rejects.toThrow('did not respond')
    expect(await recordsOf(payment)).toEqual([])
    pass(3_600_000)
    await applyOne(id)
    expect(await recordsOf(payment)).toEqual(unconfirmed)
  })

  test('if a status inquiry confirms the money before the operator decides, the money is credited once', async () => {
    const payment = await ended({ type: 'expired' })
    says('not_reported')
    await settled(reported(payment, 90_000_000n))
    says({ type: 'paid', amountPaid: 90_000_000n, receipt: 'forged' })
    await settled(reported(payment, 90_000_000n))
    expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [90_000_000n] })
    expect(await recordsOf(payment)).toEqual([
      ['unconfirmed', 'dismissed', 90_000_000n, 'forged'],
      ['late', 'open', 90_000_000n, 'forged'],
    ])
  })
})
