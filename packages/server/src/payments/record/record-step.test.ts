// Tests what recording one payment event adds to a batch of database changes: the payment's new state, a
// timeline entry, a ledger posting and a webhook.

import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../../test/support/make-payment.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../payment.ts'
import { type Batch, loadRecords, newBatch } from './event-batch.ts'
import { recordReturns } from './record-returns.ts'
import { recordStep } from './record-step.ts'
import { newRecord, paymentFields, type UnexpectedMoney } from './unexpected-money.ts'

const pending = makePayment({ amount: 1_000n })
const reference = pending.paymentCode
const received = (amountPaid: bigint, receipt = 'r-1'): PaymentEvent =>
  moneyReceivedEvent(pending, { amountPaid, paidAt: later(1_000), reference, receipt })
const paid: Payment = {
  ...pending,
  ...{ status: 'paid', transitionCount: 2, paidAt: later(1_000), amountPaid: 1_000n },
  ...{ paidReference: reference, receipt: 'r-1', nextCheckAt: null },
}
const AMOUNT_PAID = paid.amountPaid ?? 0n
const recordOf = (fields: Partial<UnexpectedMoney>): UnexpectedMoney =>
  newRecord(
    {
      ...paymentFields(pending),
      ...{ kind: 'refund', reference, receipt: 'f-1', amount: 400n, credited: false, paidAt: now },
      ...{ returnStatus: 'pending', ...fields },
    },
    now,
  )
const reversed: PaymentEvent = { type: 'reversed', reason: 'deny', unexpectedMoneyId: 'u-1' }

const reportOf = ({ tenantId, id: paymentId }: Payment) => ({
  ...{ tenantId, paymentId, cause: 'callback' },
  event: undefined as never,
})
/**
 * Applies the event to the payment in a new batch that contains only this payment and its records of unexpected
 * money.
 */
function step(payment: Payment, event: PaymentEvent, records: UnexpectedMoney[] = []) {
  const batch = newBatch([payment], later(5_000))
  batch.addLoaded({ records })
  return { batch, recorded: recordStep(batch, reportOf(payment), event) }
}
const bodies = ({ events }: Batch) => events.map(({ body }) => JSON.parse(body))
const detailOf = ({ transitions }: Batch) => transitions.map(({ detail }) => detail)

describe('if an event reports a payment as paid, the batch records the event and its effects', () => {
  test('a payment that becomes paid adds a timeline entry, a ledger posting and a webhook to the batch', () => {
    const { batch, recorded } = step(pending, received(1_000n))
    const after = batch.paymentOf(reportOf(pending))
    expect(after).toMatchObject({ status: 'paid', amountPaid: 1_000n, transitionCount: 2 })
    expect(recorded).toEqual({ kind: 'changed', from: 'pending', payment: after })
    expect([...batch.touched.values()]).toEqual([{ before: pending, payment: after }])
    expect(batch.transitions).toEqual([
      {
        ...{ tenantId: pending.tenantId, paymentId: pending.id, number: 2, at: later(5_000) },
        ...{ from: 'pending', to: 'paid', cause: 'callback', detail: null },
      },
    ])
    expect(batch.transfers).toMatchObject([{ to: 'merchant', amount: 1_000n, paymentId: pending.id }])
    expect(bodies(batch)).toMatchObject([
      { type: 'payment.paid', previous_status: 'pending', data: { status: 'paid', amount_paid: 1_000 } },
    ])
    expect(bodies(batch)[0]).not.toHaveProperty('ledger_entry')
    expect(batch.attempts).toEqual([])
    expect(batch.changedRecords()).toEqual({ inserted: [], updated: [] })
  })

  test('a repeated report that a payment was paid does not change the payment', () => {
    const { batch, recorded } = step(paid, received(1_000n))
    expect(recorded).toEqual({ kind: 'unchanged', payment: paid })
    expect([...batch.touched]).toEqual([])
    expect(batch.transitions).toEqual([])
  })

  test('a second payment for a paid payment is set aside until the operator decides on it', () => {
    const { batch, recorded } = step(paid, received(1_000n, 'r-2'))
    expect(recorded).toEqual({
      kind: 'set_aside',
      payment: paid,
      reason: 'the payment is paid already; this money waits for the Owner',
    })
    expect(batch.changedRecords().inserted).toMatchObject([{ kind: 'second_payment', amount: 1_000n }])
    expect(batch.transfers).toEqual([])
    expect(batch.events).toEqual([])
  })

  test("the excess of a larger amount reported for a paid payment waits for the operator's decision", () => {
    expect(step(paid, received(1_500n)).recorded).toMatchObject({
      kind: 'set_aside',
      reason: 'a larger amount was reported for credited money; the difference waits for the Owner',
    })
  })
})

describe("partial payments await the operator's decision", () => {
  test("a partial payment makes the payment challenged (held for the operator's decision)", () => {
    const { batch, recorded } = step(pending, received(400n))
    expect(recorded).toMatchObject({ kind: 'changed', payment: { status: 'challenged' } })
    expect(detailOf(batch)).toEqual(['amount mismatch: expected 1000, received 400'])
    expect(bodies(batch)).toMatchObject([{ type: 'payment.challenged' }])
  })

  test("a repeated partial payment changes nothing, but a larger amount waits for the operator's decision", () => {
    const challenged = { ...pending, status: 'challenged', amountReceived: 400n, receipt: 'r-1' } as Payment
    const known = recordOf({ kind: 'underpaid', receipt: 'r-1', returnStatus: null })
    const again = step({ ...challenged, paidReference: reference }, received(400n), [known])
    expect(again.recorded).toMatchObject({ kind: 'unchanged', payment: { status: 'challenged' } })
    expect([...again.batch.touched]).toEqual([])
    const { recorded } = step({ ...challenged, paidReference: reference }, received(600n), [known])
    expect(recorded).toMatchObject({
      kind: 'set_aside',
      reason: 'a further part of the amount; this money waits for the Owner',
    })
  })
})

describe('a provider can reverse a paid payment and report it as paid again', () => {
  const takenBack = { ...paid, reversedAt: later(2_000), transitionCount: 3 }
  const reversal = recordOf({
    kind: 'reversal',
    receipt: 'r-1',
    amount: 1_000n,
    credited: true,
    returnStatus: null,
  })

  test('a reversed payment stays paid, and the reversal posts a single debit and sends a webhook', () => {
    const { batch, recorded } = step(paid, reversed)
    expect(recorded).toMatchObject({ kind: 'changed', from: 'paid', payment: { status: 'paid' } })
    expect(batch.transfers).toMatchObject([{ from: 'merchant', amount: 1_000n, unexpectedMoneyId: 'u-1' }])
    expect(bodies(batch)).toMatchObject([
      {
        type: 'payment.reversed',
        previous_status: 'paid',
        ledger_entry: { entry_type: 'debit', amount: 1_000, reference_id: reference },
      },
    ])
    expect(detailOf(batch)).toEqual([`payment ${reference} reversed by the provider: deny`])
  })

  test("money received after a reversal creates no ledger entry and no webhook before the operator's decision", () => {
    const { batch, recorded } = step(takenBack, received(1_000n), [reversal])
    expect(recorded).toMatchObject({ kind: 'changed' })
    expect(batch.changedRecords().inserted).toMatchObject([{ kind: 'paid_after_reversal', credited: false }])
    expect(detailOf(batch)).toEqual(['paid again after a reversal; the money waits for the Owner'])
    expect(batch.transfers).toEqual([])
    expect(batch.events).toEqual([])
  })

  test("money reported for a payment that was reversed and paid again waits for the operator's decision", () => {
    const again = recordOf({ kind: 'paid_after_reversal', receipt: 'r-1', round: 2, returnStatus: null })
    expect(step(takenBack, received(1_000n), [reversal, again]).recorded).toMatchObject({
      kind: 'set_aside',
      reason: 'the provider had reversed this payment; the money waits for the Owner',
    })
  })

  test('if nothing was credited since the first reversal, a second reversal posts nothing and sends no webhook', () => {
    const again = recordOf({
      ...{ kind: 'paid_after_reversal', receipt: 'r-1', amount: 1_000n, round: 2, returnStatus: null },
    })
    const { batch } = step(takenBack, reversed, [reversal, again])
    expect(detailOf(batch)).toEqual(['reversed by the provider before the money was credited: deny'])
    expect(batch.transfers).toEqual([])
    expect(batch.events).toEqual([])
  })

  test('a payment that was reversed in full cannot be reversed a second time', () => {
    expect(step(takenBack, reversed, [reversal]).recorded).toEqual({
      kind: 'refused',
      payment: takenBack,
      reason: 'reversed changes nothing: all of it is taken back already',
    })
  })
})

describe('events are recorded for a payment even while its charge is in flight', () => {
  const charging: Payment = { ...pending, status: 'charging', transitionCount: 0, providerPaymentId: null }

  test('if a charge is retried at another provider account, the reason is stored with the previous charge attempt', () => {
    const event: PaymentEvent = {
      ...{ type: 'charge_started', provider: 'xendit', providerAccountId: 'account-2' },
      ...{ reason: 'could not be reached', expiresAt: later(1), nextCheckAt: later(1) },
    }
    const { batch } = step(charging, event)
    expect(batch.attempts).toEqual([
      {
        ...{ tenantId: pending.tenantId, paymentId: pending.id, number: 2 },
        ...{ provider: 'xendit', providerAccountId: 'account-2' },
        ...{ reference: `${reference}-2`, previousReference: reference },
        previousReason: 'could not be reached',
      },
    ])
    expect(batch.events).toEqual([])
  })

  test('no webhook is sent when the provider accepts a payment', () => {
    const { methodData } = pending
    if (!methodData)
      throw new Error('a pending payment must have payment instructions and an ID from the provider')
    const { batch, recorded } = step(charging, { type: 'accepted', providerPaymentId: 'p-1', methodData })
    expect(recorded).toMatchObject({ kind: 'changed', payment: { status: 'pending' } })
    expect(batch.events).toEqual([])
    expect(batch.attempts).toEqual([])
  })
})

describe('payment events add timeline entries', () => {
  test("a payment's timeline contains the detail recorded with each event", () => {
    const batch = newBatch([paid], now)
    recordStep(batch, { ...reportOf(paid), detail: 'agreed by phone' }, reversed)
    expect(detailOf(batch)).toEqual(['agreed by phone'])
  })

  test("a failed payment's timeline contains the reason it failed", () => {
    expect(detailOf(step(pending, { type: 'failed', reason: 'deny' }).batch)).toEqual(['deny'])
  })
})

describe("refunds and chargebacks listed in a provider's report are recorded", () => {
  type Returned = NonNullable<Parameters<typeof recordReturns>[1]['reportedReturns']>['returns']
  function giveBack(
    returns: Returned,
    {
      records = [],
      recorded,
    }: { records?: UnexpectedMoney[]; recorded?: Parameters<typeof recordReturns>[2] } = {},
  ) {
    const batch = newBatch([paid], later(5_000))
    batch.addLoaded({ records })
    const input = { ...reportOf(paid), reportedReturns: { reference, returns } }
    return { batch, recorded: recordReturns(batch, input, recorded ?? { kind: 'ignored', payment: paid }) }
  }
  const refund = (status: 'pending' | 'succeeded' | 'failed') =>
    ({ kind: 'refund', id: 'f-1', amount: 400n, status }) as const

  test.each(['refund', 'chargeback'] as const)(
    "a %s in a provider's report is debited from the merchant immediately",
    kind => {
      const { batch, recorded } = giveBack([{ ...refund('pending'), kind }])
      expect(recorded).toMatchObject({ kind: 'changed', payment: { status: 'paid' } })
      const [record] = batch.changedRecords().inserted
      expect(record).toMatchObject({
        ...{ kind, tenantId: paid.tenantId, paymentId: paid.id, reference, receipt: 'f-1', amount: 400n },
        ...{ status: 'accepted', credited: true, returnStatus: 'pending', createdAt: later(5_000) },
      })
      expect(batch.changedRefunds().inserted).toMatchObject([
        {
          ...{ status: 'pending', origin: kind === 'refund' ? 'provider' : 'chargeback', amount: 400n },
          ...{ providerRefundId: 'f-1', unexpectedMoneyId: record?.id },
        },
      ])
      expect(batch.transfers).toMatchObject([{ from: 'merchant', to: 'provider', amount: 400n }])
      expect(bodies(batch)).toEqual([])
    },
  )

  test("a reported refund or chargeback without an amount waits for the operator's decision", () => {
    const { batch, recorded } = giveBack([{ ...refund('succeeded'), amount: null }])
    expect(recorded).toEqual({ kind: 'set_aside', payment: paid, reason: 'a refund waits for the Owner' })
    expect(batch.transfers).toEqual([])
  })

  test.each(['refund', 'chargeback'] as const)(
    "a reported %s that exceeds the payment's remaining amount awaits the operator's decision",
    kind => {
      const { batch, recorded } = giveBack([{ ...refund('succeeded'), kind, amount: AMOUNT_PAID + 1n }])
      expect(recorded).toMatchObject({ kind: 'set_aside', reason: `a ${kind} waits for the Owner` })
      expect(batch.changedRecords().inserted).toMatchObject([{ kind, status: 'open', credited: false }])
      expect(batch.transfers).toEqual([])
    },
  )

  test("refunds and chargebacks are debited in order, but one that exceeds the payment's remaining amount stays open", () => {
    const parts = [AMOUNT_PAID - 100n, 101n, 100n].map(
      (amount, index) => ({ ...refund('succeeded'), id: `f-${index}`, amount }) as const,
    )
    const { batch } = giveBack([...parts, { ...refund('succeeded'), kind: 'chargeback', amount: 1n }])
    expect(batch.transfers.map(({ amount }) => amount)).toEqual([AMOUNT_PAID - 100n, 100n])
    expect(batch.recordsOf(reportOf(paid)).map(({ status }) => status)).toEqual([
      'accepted',
      'open',
      'accepted',
      'open',
    ])
  })

  test('money that the provider reversed is no longer left to be refunded', () => {
    const reversal = recordOf({ kind: 'reversal', amount: AMOUNT_PAID, credited: true, returnStatus: null })
    const { batch } = giveBack([refund('succeeded')], { records: [reversal] })
    expect(batch.transfers).toEqual([])
  })

  test('money that an earlier version of the service debited without creating a refund is not debited again', () => {
    const debited = recordOf({ status: 'accepted', amount: AMOUNT_PAID, credited: true, decidedAt: now })
    const { batch } = giveBack([{ ...refund('succeeded'), id: 'f-2' }], { records: [debited] })
    expect(batch.transfers).toEqual([])
  })

  test('the provider can refund a separately credited second payment in addition to the payment itself', () => {
    const second = recordOf({
      ...{ kind: 'second_payment', receipt: 'b', amount: 400n, returnStatus: null },
      ...{ status: 'accepted', credited: true, decidedAt: now },
    })
    const { batch } = giveBack([{ ...refund('succeeded'), amount: AMOUNT_PAID + 400n }], {
      records: [second],
    })
    expect(batch.transfers).toMatchObject([{ from: 'merchant', amount: AMOUNT_PAID + 400n }])
  })

  test("recording a report returns the payment's status change, even if the report also lists refunds", () => {
    const changed = { kind: 'changed', from: 'pending', payment: paid } as const
    expect(giveBack([refund('pending')], { recorded: changed }).recorded).toMatchObject({
      kind: 'changed',
      from: 'pending',
    })
  })

  test('a report of refunds and chargebacks that are already recorded changes nothing', () => {
    const known = recordOf({ kind: 'refund', status: 'accepted', credited: true, decidedAt: now })
    const { batch, recorded } = giveBack([refund('pending')], { records: [known] })
    expect(batch.changedRecords()).toEqual({ inserted: [], updated: [] })
    expect(recorded).toEqual({ kind: 'ignored', payment: paid })
  })

  test('if a refund that an earlier version debited fails, its amount is credited back', () => {
    const debited = recordOf({ status: 'accepted', credited: true, decidedAt: now })
    const { batch } = giveBack([refund('failed')], { records: [debited] })
    expect(batch.transfers).toMatchObject([{ to: 'merchant', amount: 400n, unexpectedMoneyId: debited.id }])
    expect(batch.changedRecords().updated).toMatchObject([{ id: debited.id, status: 'dismissed' }])
    expect(bodies(batch)).toMatchObject([
      { type: 'payment.paid_again', ledger_entry: { entry_type: 'credit', amount: 400 } },
    ])
  })

  test('recordReturns changes nothing if the report lists no refunds or chargebacks', () => {
    const recorded = { kind: 'ignored', payment: paid } as const
    expect(recordReturns(newBatch([paid], now), reportOf(paid), recorded)).toBe(recorded)
  })
})

describe('a batch of events can contain events for several payments', () => {
  test('a batch of events can access only the payments it has locked', () => {
    const other = makePayment()
    const batch = newBatch([paid], now)
    expect(() => batch.paymentOf(reportOf(other))).toThrow(`there is no payment ${other.id}`)
    // A batch finds a payment only by its id and its tenant's id, because a tenant can access only its own
    // payments.
    expect(() => batch.paymentOf({ tenantId: other.tenantId, paymentId: paid.id })).toThrow(
      'there is no payment',
    )
  })

  test("a batch separates each payment's records into new records and changed stored records", () => {
    const other = makePayment()
    const [known, unchanged] = [recordOf({ receipt: 'a' }), recordOf({ receipt: 'b' })]
    const made = newRecord(
      {
        ...{ ...paymentFields(other), kind: 'refund', reference: other.paymentCode, receipt: 'c' },
        ...{ amount: 1n, credited: false, paidAt: now },
      },
      now,
    )
    const batch = newBatch([pending, other], now)
    batch.addLoaded({ records: [known, unchanged] })
    const decided = { ...known, status: 'dismissed' } as const
    batch.putRecords([decided])
    batch.putRecords([made])
    expect(batch.recordsOf(reportOf(pending))).toEqual([decided, unchanged])
    expect(batch.recordsOf(reportOf(other))).toEqual([made])
    expect(batch.changedRecords()).toEqual({ inserted: [made], updated: [decided] })
  })

  test('if a payment changes twice in a batch, the batch keeps only its first and last state', () => {
    const batch = newBatch([pending], now)
    const challenged = { ...pending, status: 'challenged' } as const
    batch.setPayment(pending, challenged)
    batch.setPayment(challenged, paid)
    expect([...batch.touched.values()]).toEqual([{ before: pending, payment: paid }])
  })

  test("a batch reads its payments' records of unexpected money from the database only once", async () => {
    const batch = newBatch([pending], now)
    batch.isLoaded = true
    await loadRecords(undefined as never, batch)
    expect(batch.recordsOf(reportOf(pending))).toEqual([])
  })
})
