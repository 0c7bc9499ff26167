// Tests that the refund rules hold no matter in what order, and how often, the provider's responses, callbacks and
// inquiry results arrive.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePayment, now } from '../../../test/support/make-payment.ts'
import { makeRefund } from '../../../test/support/make-refund.ts'
import type { Account } from '../../ledger/account.ts'
import { merchantChange } from '../../ledger/transfer.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import { type Batch, newBatch } from './event-batch.ts'
import { newRefund } from './new-refund.ts'
import { recordRefund } from './record-refund.ts'
import { recordReturns } from './record-returns.ts'
import {
  applyRefundEvent,
  isRequestedHere,
  type PaymentRefund,
  type RefundEvent,
  type RefundEventType,
  type RefundMethod,
  type RefundSource,
  refundReferenceOf,
  refundStatuses,
  refundTransitions,
} from './refund.ts'
import { isReceived, newRecord, paymentFields, type UnexpectedMoney } from './unexpected-money.ts'

const AMOUNT = 1_000n
const payment = makePayment({
  status: 'paid',
  amount: AMOUNT,
  amountPaid: AMOUNT,
  paidAt: now,
  receipt: 'r-1',
})
const { tenantId, id: paymentId, paymentCode: reference } = { ...payment }
const key = { tenantId, paymentId }
const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

const eventTypes = Object.keys(refundTransitions.pending) as RefundEventType[]
const eventOf = (type: RefundEventType): RefundEvent =>
  type === 'accepted' || type === 'succeeded' ? { type, providerRefundId: 'rf-1' } : { type, reason: 'why' }

describe("each refund event changes a refund's status as the transition table specifies", () => {
  test.each(refundStatuses.flatMap(status => eventTypes.map(type => ({ status, type }))))(
    'the event $type changes a refund in the status $status as the refund transition table specifies, and a repeated event changes nothing',
    ({ status, type }) => {
      const refund = makeRefund({ ...key, status, requestedAt: now })
      const applied = applyRefundEvent(refund, eventOf(type), now)
      const outcome = refundTransitions[status][type]
      expect(applied.refund.status).toBe(outcome === 'unchanged' || outcome === 'refused' ? status : outcome)
      const again = applyRefundEvent(applied.refund, eventOf(type), now)
      expect(again.kind).not.toBe('changed')
      expect(again.refund.status).toBe(applied.refund.status)
    },
  )
})

type Step =
  | { kind: 'request'; amount: bigint }
  /** The operator refunds money that was recorded as unexpected money. */
  | { kind: 'give_back'; source: RefundSource; method: RefundMethod }
  | { kind: 'outcome'; index: number; event: RefundEvent }
  | { kind: 'report'; returned: MoneyReturn & { own?: number } }

const status = fc.constantFrom('pending', 'succeeded', 'failed' as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('request' as const), amount: fc.bigInt(1n, 400n) }),
  fc.record({
    kind: fc.constant('give_back' as const),
    source: fc.constantFrom<RefundSource>('amount_paid', 'separate_credit', 'uncredited'),
    method: fc.constantFrom<RefundMethod>('provider', 'manual'),
  }),
  fc.record({
    kind: fc.constant('outcome' as const),
    index: fc.nat(5),
    event: fc.constantFrom(...eventTypes).map(eventOf),
  }),
  fc.record({
    kind: fc.constant('report' as const),
    returned: fc.record({
      kind: fc.constantFrom('refund', 'chargeback' as const),
      id: fc.constantFrom('rf-1', 'rf-2', 'cb-1', null),
      amount: fc.constantFrom(100n, 250n),
      status,
      own: fc.option(fc.nat(3), { nil: undefined }),
    }) as fc.Arbitrary<MoneyReturn & { own?: number }>,
  }),
)

/** Returns the sum of all transfers to an account, minus the transfers from it. */
const movedTo = (batch: Batch, account: Account): bigint =>
  total(
    batch.transfers.map(({ from, to, amount }) =>
      to === account ? amount : from === account ? -amount : 0n,
    ),
  )
const transferred = (batch: Batch) =>
  standing(batch).filter(({ method, status: its }) => method === 'manual' && its === 'succeeded')

const refundsOf = (batch: Batch): PaymentRefund[] => batch.refundsOf(key)
const standing = (batch: Batch) => refundsOf(batch).filter(each => each.status !== 'failed')

/**
 * Returns a record of unexpected money that the operator can refund: either a late payment or an additional amount
 * paid.
 */
const moneyOf = (source: RefundSource): UnexpectedMoney =>
  newRecord(
    {
      ...paymentFields(payment),
      ...{ id: source, kind: source === 'amount_paid' ? 'late' : 'second_payment', reference, amount: 300n },
      ...{
        receipt: source === 'amount_paid' ? 'r-1' : source,
        credited: source !== 'uncredited',
        paidAt: now,
      },
    },
    now,
  )
const isRequested = ({ origin }: PaymentRefund): boolean => isRequestedHere(origin)
const ofAmountPaid = (batch: Batch) => standing(batch).filter(({ source }) => source === 'amount_paid')

function giveBack(batch: Batch, source: RefundSource, method: RefundMethod): void {
  const money = batch.recordsOf(key).find(({ id }) => id === source)
  const left = AMOUNT - total(ofAmountPaid(batch).map(each => each.amount))
  if (money?.status !== 'open' || (source === 'amount_paid' && left < 300n)) return
  batch.putRecords([{ ...money, status: 'refunded', decidedAt: now }])
  const terms = { amount: 300n, source, method, origin: 'operator', refundedMoneyId: source } as const
  const account = { provider: payment.provider, providerAccountId: payment.providerAccountId }
  const refund = newRefund(payment, refundsOf(batch), { ...terms, ...account, requestedAt: now }, now)
  recordRefund(batch, undefined, refund, 'owner')
}

function take(batch: Batch, step: Step): void {
  if (step.kind === 'give_back') {
    giveBack(batch, step.source, step.method)
    return
  }
  if (step.kind === 'request') {
    const left = AMOUNT - total(ofAmountPaid(batch).map(each => each.amount))
    if (step.amount > left) return
    const number = refundsOf(batch).length + 1
    const refund = makeRefund({
      ...key,
      number,
      reference: refundReferenceOf(reference, number),
      providerAccountId: payment.providerAccountId,
      amount: step.amount,
      requestedAt: now,
    })
    recordRefund(batch, undefined, refund, 'merchant')
    return
  }
  const own = refundsOf(batch).filter(isRequested)
  if (step.kind === 'outcome') {
    const refund = own[step.index]
    if (refund) recordRefund(batch, refund, applyRefundEvent(refund, step.event, now).refund, 'inquiry')
    return
  }
  const { own: index, ...returned } = step.returned
  const named = index === undefined ? undefined : own[index]
  const reported = named ? { ...returned, reference: named.reference, amount: named.amount } : returned
  const input = { ...key, event: undefined as never, cause: 'callback' }
  recordReturns(
    batch,
    { ...input, reportedReturns: { reference, returns: [reported] } },
    { kind: 'ignored', payment: batch.paymentOf(key) },
  )
}

// Runs random sequences of refund requests, operator decisions, provider responses, inquiries and callbacks. The
// sequences include refunds and chargebacks made at the provider.
test('each refund of credited money is debited exactly once, and credited back exactly once if it fails', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), steps => {
      const batch = newBatch([payment], now)
      batch.addLoaded({ records: (['amount_paid', 'separate_credit', 'uncredited'] as const).map(moneyOf) })
      batch.isLoaded = true
      for (const each of steps) {
        take(batch, each)
        const entries = batch.transfers.filter(moved => moved.refundId !== undefined)
        for (const refund of refundsOf(batch)) {
          if (!isRequested(refund)) expect(refund.nextCheckAt).toBe(null)
          const own = entries.filter(({ refundId }) => refundId === refund.id).map(merchantChange)
          const debit = [-refund.amount, ...(refund.status === 'failed' ? [refund.amount] : [])]
          expect(own).toEqual(refund.source === 'uncredited' ? [] : debit)
          const money = batch.recordsOf(key).find(({ id }) => id === refund.refundedMoneyId)
          if (money && refund.status !== 'failed') expect(money.status).toBe('refunded')
        }
        const debited = standing(batch).filter(({ source }) => source !== 'uncredited')
        expect(total(batch.transfers.map(merchantChange))).toBe(-total(debited.map(({ amount }) => amount)))
        for (const { id, status } of batch.recordsOf(key).filter(isReceived)) {
          const isStanding = standing(batch).some(({ refundedMoneyId }) => refundedMoneyId === id)
          expect([id, status]).toEqual([id, isStanding ? 'refunded' : 'open'])
        }
        expect(movedTo(batch, 'adjustment')).toBe(total(transferred(batch).map(({ amount }) => amount)))
        const uncredited = transferred(batch).filter(({ source }) => source === 'uncredited')
        const pendingUncredited = standing(batch).filter(
          ({ source, status: its }) => source === 'uncredited' && its === 'pending',
        )
        const byProvider = debited.filter(
          each => isRequested(each) && each.status === 'succeeded' && each.method === 'provider',
        )
        const atProvider = debited.filter(each => !isRequested(each))
        expect(movedTo(batch, `provider:${payment.providerAccountId}`) + movedTo(batch, 'provider')).toBe(
          total([...byProvider, ...atProvider].map(({ amount }) => amount)) -
            total([...uncredited, ...pendingUncredited].map(({ amount }) => amount)),
        )
        const pending = refundsOf(batch).filter(each => isRequested(each) && each.status === 'pending')
        expect(movedTo(batch, 'refunds_in_transit')).toBe(total(pending.map(({ amount }) => amount)))
        const { amountRefunded, amountReversed } = batch.paymentOf(key)
        const succeeded = ofAmountPaid(batch).filter(each => each.status === 'succeeded')
        expect(amountRefunded + amountReversed).toBe(total(succeeded.map(({ amount }) => amount)))
      }
    }),
  )
})

/**
 * Everything that happens to one requested refund: all reports of the provider, in any order and any number of times,
 * and possibly the operator's decision that the refund failed. The refund's final status at the provider is `final`.
 */
const reportedRefund = fc
  .constantFrom<MoneyReturn['status'][]>(
    ['succeeded'],
    ['failed'],
    ['pending', 'succeeded'],
    ['pending', 'failed'],
    ['succeeded', 'failed'],
    ['pending', 'succeeded', 'failed'],
  )
  .chain(statuses => {
    const report = (from: fc.Arbitrary<MoneyReturn['status']>) =>
      fc.record({ status: from, isNamed: fc.boolean() })
    const each = fc.tuple(...statuses.map(one => report(fc.constant(one))))
    const repeated = fc.array(report(fc.constantFrom(...statuses)), { maxLength: 4 })
    const decisions = fc.subarray(['decision' as const])
    return fc
      .tuple(each, repeated, decisions)
      .chain(([once, again, decided]) => {
        const all = [...once, ...again, ...decided]
        return fc.shuffledSubarray(all, { minLength: all.length })
      })
      .map(steps => ({ steps, final: statuses.at(-1) }))
  })

test('a requested refund that succeeded at the provider is debited once, whatever the order of the reports', () => {
  fc.assert(
    fc.property(reportedRefund, ({ steps, final }) => {
      const batch = newBatch([payment], now)
      batch.isLoaded = true
      take(batch, { kind: 'request', amount: 100n })
      for (const each of steps) {
        if (each === 'decision') {
          const [requested] = refundsOf(batch)
          if (requested?.status === 'pending')
            take(batch, {
              kind: 'outcome',
              index: 0,
              event: { type: 'failed', reason: 'the operator says so' },
            })
          continue
        }
        const { status: reported, isNamed } = each
        const returned = { kind: 'refund', id: 'rf-1', amount: 100n, status: reported } as const
        take(batch, { kind: 'report', returned: { ...returned, ...(isNamed && { own: 0 }) } })
      }
      expect(total(batch.transfers.map(merchantChange))).toBe(final === 'succeeded' ? -100n : 0n)
    }),
  )
})
