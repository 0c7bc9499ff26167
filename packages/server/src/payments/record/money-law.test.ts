import fc from 'fast-check'
import { expect, test } from 'vitest'
import { now } from '../../../test/support/make-payment.ts'
import {
  current,
  entriesOf,
  type Fact,
  heldMoney,
  newWorld,
  operatorRefunds,
  recordedMoney,
  records,
  refundsOf,
  type Step,
  takeStep,
  type Verb,
  type World,
} from '../../../test/support/money-world.ts'
import { feeOf } from '../../fees/fee.ts'
import { feeChange } from '../../fees/returned-fee.ts'
import { feeTermsOf, type StoredFeeTerms } from '../../fees/stored-fee-rule.ts'
import type { Account } from '../../ledger/account.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import type { Payment } from '../payment.ts'
import { hasOwnCredit, isOfOwnReceipt } from './plan-received-money.ts'
import type { RefundEvent } from './refund.ts'
import { isReturn } from './unexpected-money.ts'

const rupiah = (max: bigint) => fc.bigInt({ min: 1n, max }).map(each => each * 100n)
const sums = rupiah(150n)
const arrival = (receipts: (string | undefined)[]) =>
  fc
    .record({
      amountPaid: fc.oneof(sums, fc.constantFrom(4_000n, 10_000n, 15_000n)),
      receipt: fc.constantFrom(...receipts),
    })
    .map(
      ({ amountPaid, receipt }): Fact => ({
        type: 'paid',
        amountPaid,
        paidAt: now,
        ...(receipt !== undefined && { receipt }),
      }),
    )
/** A report of money that the provider has not confirmed. */
const claim = (receipts: (string | undefined)[]) =>
  arrival(receipts).map(
    (fact): Fact =>
      fact.type === 'paid' ? { type: 'challenged', reason: 'not confirmed', claim: fact } : fact,
  )
const end = fc.constantFrom<Fact>(
  { type: 'failed', reason: 'deny' },
  { type: 'failed', reason: 'deny' },
  { type: 'expired' },
  { type: 'cancelled' },
  { type: 'challenged', reason: 'held' },
)
/**
 * The amounts of the simulated refunds and chargebacks. A report can also contain no amount, or one that differs by
 * `change`. The names `refund` and `chargeback` are for reports without an ID.
 */
const amounts = {
  refund: 3_000n,
  'refund x': 3_000n,
  'refund y': 2_000n,
  chargeback: 10_000n,
  'chargeback z': 10_000n,
} as const
const moneyReturn = fc
  .record({
    name: fc.constantFrom(...(Object.keys(amounts) as (keyof typeof amounts)[])),
    status: fc.constantFrom<MoneyReturn['status']>('pending', 'succeeded', 'failed'),
    hasAmount: fc.boolean(),
    change: fc.constantFrom(0n, 0n, -1_000n, 1_000n),
  })
  .map(({ name, status, hasAmount, change }): MoneyReturn => {
    const [kind, id = null] = name.split(' ') as ['refund' | 'chargeback', string | undefined]
    return { kind, id, amount: hasAmount ? amounts[name] + change : null, status }
  })
const decision = fc.record({
  index: fc.nat(11),
  verb: fc.constantFrom<Verb>('accept', 'refund', 'refund', 'dismiss'),
  amount: fc.option(rupiah(140n), { nil: undefined }),
  isSent: fc.boolean(),
})
const outcome = fc.record({
  settled: fc.nat(5),
  event: fc.constantFrom<RefundEvent>(
    { type: 'accepted', providerRefundId: null },
    { type: 'succeeded', providerRefundId: 'x' },
    { type: 'rejected', reason: 'refused' },
    { type: 'failed', reason: 'returned' },
    { type: 'outcome_unknown', reason: 'no answer' },
  ),
})
/** The provider reports a refund that this service requested, using the reference that this service sent. */
const ownReport = fc.record({
  own: fc.nat(5),
  status: fc.constantFrom<MoneyReturn['status']>('pending', 'succeeded', 'failed'),
})

/**
 * A case that random runs rarely generate. The provider reports a refund without an id, and the operator dismisses
 * it. The provider then reports the refund again with an id, and with the same status or a new one.
 */
const dismissedBeforeListed = (['pending', 'failed'] as const).map((status): Step[] => [
  { kind: 'refund', id: null, amount: 3_000n, status: 'pending' },
  { index: 0, verb: 'dismiss', amount: undefined },
  { kind: 'refund', id: 'y', amount: null, status },
  { kind: 'refund', id: 'y', amount: 2_000n, status: 'succeeded' },
])
/**
 * Two sequences in which the provider reports a refund as succeeded, then as pending, and then as succeeded
 * again. In the first, the operator dismisses the refund before the second report; in the other, after it.
 */
const listedAsPending: Step[][] = [1, 2].map(dismissedAt =>
  [
    { kind: 'refund', id: null, amount: 3_000n, status: 'succeeded' } as const,
    { kind: 'refund', id: 'y', amount: 2_000n, status: 'pending' } as const,
    { kind: 'refund', id: 'y', amount: null, status: 'succeeded' } as const,
  ].toSpliced(dismissedAt, 0, { index: dismissedAt - 1, verb: 'dismiss', amount: undefined } as never),
)

const arrived = (amountPaid: bigint): Step => ({ type: 'paid', amountPaid, paidAt: now })
const accepts = (index: number): Step => ({ index, verb: 'accept', amount: undefined })
const refunds = (index: number): Step => ({ index, verb: 'refund', amount: undefined })
const isReversed: Step = { type: 'failed', reason: 'deny' }
const firstRefundFails: Step = { settled: 0, event: { type: 'failed', reason: 'returned' } }
/**
 * The operator refunds the first of two partial payments, but the refund fails after the second has been received. The
 * operator must then decide on both. The payment's credit includes only the one that the operator accepts first.
 */
const partsAfterFailedRefund: Step[][] = [
  [firstRefundFails, accepts(0), arrived(10_000n)],
  [firstRefundFails, accepts(1), arrived(10_000n)],
  [firstRefundFails, accepts(1), accepts(0)],
  [accepts(1), firstRefundFails, accepts(0)],
  [arrived(10_000n), accepts(1), firstRefundFails, refunds(1), arrived(10_000n)],
  [firstRefundFails, accepts(1), accepts(0), isReversed],
  [firstRefundFails, accepts(0), accepts(1), isReversed],
].map(steps => [arrived(1_000n), refunds(0), arrived(9_000n), ...steps])

const isSent: Step = { index: 0, verb: 'refund', amount: undefined, isSent: true }
const reportWithoutId: Step = { kind: 'refund', id: null, amount: 3_000n, status: 'pending' }
/**
 * Cases in which a requested refund fails, and the provider reports another refund without an ID. The repeated report
 * of the failure must not change the other refund. Either the provider has already reported an ID for the requested
 * refund, or the amounts differ.
 */
const failureOfOtherRefund: Step[][] = [
  [
    reportWithoutId,
    { kind: 'refund', id: 'y', amount: null, status: 'failed' } as const,
    { kind: 'refund', id: 'y', amount: null, status: 'failed' } as const,
  ],
  [
    { kind: 'refund', id: 'y', amount: 4_000n, status: 'failed' } as const,
    { kind: 'refund', id: null, amount: 4_000n, status: 'pending' } as const,
    { kind: 'refund', id: 'y', amount: 4_000n, status: 'failed' } as const,
  ],
  [
    { settled: 0, event: { type: 'rejected', reason: 'refused' } } as const,
    reportWithoutId,
    { own: 0, status: 'failed' } as const,
  ],
].map(steps => [arrived(4_000n), isSent, ...steps])

const isHeld: Step = { type: 'challenged', reason: 'held' }
const part = (amount: bigint, id: string): Step => ({ kind: 'refund', id, amount, status: 'succeeded' })
/** The operator credits the payment without confirmation, and the provider then reports that it was not paid. */
const deniedCredit: Step[][] = [
  [isReversed],
  [{ type: 'expired' } as const],
  [part(3_000n, 'x'), isReversed, arrived(10_000n), accepts(1)],
  [part(10_000n, 'x'), isReversed, { kind: 'refund', id: 'x', amount: 10_000n, status: 'failed' } as const],
].map(steps => [isHeld, 'unconfirmed', ...steps])

const feeTerm = fc.record({
  ...{ version: fc.constant(1), refund_fees: fc.boolean(), percent_bps: fc.constantFrom(0, 70, 9_000) },
  ...{ fixed: fc.constantFrom(0, 1, 4_000), min: fc.constant(null), max: fc.constant(null) },
  tax_bps: fc.constantFrom(0, 1_100),
})
const feeTerms: fc.Arbitrary<StoredFeeTerms | null> = fc.option(
  fc.record({ operator: fc.option(feeTerm), partner: fc.option(feeTerm) }),
)
const returnedFee: StoredFeeTerms = {
  operator: {
    ...{ version: 1, refund_fees: true, percent_bps: 70, fixed: 400 },
    ...{ min: null, max: null, tax_bps: 1_100 },
  },
  partner: null,
}

// A random run mixes reports of received money with reversals, refunds, chargebacks and any decisions of the
// operator. Reports are repeated with the same or a larger amount, in any order. Either all reports in a run
// have ids, or none has one.
test.each([
  ['whose provider sends an id for each receipt of money', ['a', 'b', 'c']],
  ['whose provider sends no ids for receipts of money', [undefined]],
])(
  '[M21] the ledger and the open records together account for exactly the money that the provider holds, for a payment %s',
  (_, receipts) => {
    const step: fc.Arbitrary<Step> = fc.oneof(
      arrival(receipts),
      arrival(receipts),
      claim(receipts),
      end,
      moneyReturn,
      decision,
      decision,
      outcome,
      ownReport,
      fc.constant('unconfirmed' as const),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25, size: 'max' }), feeTerms, (steps, terms) => {
        const world = newWorld(terms)
        let isDenied = false
        for (const each of steps) {
          const before = current(world)
          takeStep(world, each)
          isDenied ||= isReversedUnconfirmed(before, current(world))
          expect(recordedMoney(world)).toBe(heldMoney(world))
          refundsNoMoreThanReceived(world)
          chargesItsFee(world, isDenied)
        }
        keepsItsPlaces(world)
      }),
      {
        numRuns: 2_000,
        examples: [
          ...dismissedBeforeListed,
          ...listedAsPending,
          ...partsAfterFailedRefund,
          ...failureOfOtherRefund,
          ...deniedCredit,
        ].map((steps): [Step[], StoredFeeTerms] => [steps, returnedFee]),
      },
    )
  },
)

/** Returns whether the step from `before` to `after` reversed a credit that the provider had not confirmed. */
const isReversedUnconfirmed = (before: Payment, after: Payment): boolean =>
  before.unconfirmedSince !== null && before.reversedAt === null && after.reversedAt !== null

/**
 * Checks the payment's fee:
 *
 * - The rows in `fee_charges` add up to the fee in the ledger.
 * - No part of the fee is negative or larger than originally charged.
 * - Until the payment is reversed, only refunds change the fee.
 * - If the provider denied a credit without confirmation, no fee is left.
 */
function chargesItsFee(world: World, isDenied: boolean): void {
  const { fees, transfers } = world.batch
  const left = { net: 0n, tax: 0n, operatorNet: 0n, operatorTax: 0n }
  for (const fee of fees) for (const name of partsOf(left)) left[name] += fee[name]
  const balance = (account: Account) =>
    transfers.reduce((sum, { from, to, amount }) => {
      if (to === account) return sum + amount
      return from === account ? sum - amount : sum
    }, 0n)
  const operatorPart = left.operatorNet + left.operatorTax
  expect(balance('fee:operator')).toBe(operatorPart)
  expect(balance('fee:partner')).toBe(left.net + left.tax - operatorPart)
  const { amountPaid, amountRefunded, reversedAt, feeTerms: stored } = current(world)
  if (isDenied) expect(left).toEqual({ net: 0n, tax: 0n, operatorNet: 0n, operatorTax: 0n })
  if (stored === null || amountPaid === null) return
  const terms = feeTermsOf(stored)
  const { charged, operator } = feeOf(terms, amountPaid)
  const charge = { ...charged, operatorNet: operator.net, operatorTax: operator.tax }
  const change = feeChange(charge, terms, amountPaid, { before: 0n, after: amountRefunded })
  for (const name of partsOf(left)) {
    expect(left[name] >= 0n && left[name] <= charge[name]).toBe(true)
    if (reversedAt === null) expect(left[name]).toBe(charge[name] + change[name])
  }
}
const partsOf = <Parts extends object>(parts: Parts) => Object.keys(parts) as (keyof Parts)[]

/**
 * Checks the operator's refunds of unexpected money:
 *
 * - A refund never exceeds the amount of the unexpected money.
 * - Each record of unexpected money has at most one refund that has not failed. A record with such a refund has the
 *   status `refunded`.
 * - The balance of the ledger account `refunds_in_transit` is the sum of the pending refunds.
 */
function refundsNoMoreThanReceived(world: World): void {
  const standing = refundsOf(world).filter(({ status }) => status !== 'failed')
  for (const refund of operatorRefunds(world)) {
    const money = records(world).find(({ id }) => id === refund.refundedMoneyId)
    expect(refund.amount <= (money?.amount ?? 0n)).toBe(true)
    const own = standing.filter(({ refundedMoneyId }) => refundedMoneyId === money?.id)
    expect(own.length).toBeLessThanOrEqual(1)
    if (own.length === 1) expect(money?.status).toBe('refunded')
  }
  const inTransit = world.batch.transfers.map(({ from, to, amount }) =>
    to === 'refunds_in_transit' ? amount : from === 'refunds_in_transit' ? -amount : 0n,
  )
  const pending = operatorRefunds(world).filter(({ status }) => status === 'pending')
  const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
  expect(total(inTransit)).toBe(total(pending.map(({ amount }) => amount)))
}

/**
 * Checks rules that the database also enforces: a payment has at most one credit without a record of
 * unexpected money, and each such record has at most one credit and one debit.
 */
function keepsItsPlaces(world: World): void {
  const entries = entriesOf(world)
  const operators = new Set(operatorRefunds(world).map(({ id }) => id))
  const places = entries.map(each =>
    each.refundId && operators.has(each.refundId)
      ? `${each.refundId} ${each.entryType}`
      : `${each.unexpectedMoneyId} ${each.entryType}`,
  )
  expect(new Set(places).size).toBe(places.length)
  for (const { amount, entryType, unexpectedMoneyId, refundId } of entries) {
    if (refundId && operators.has(refundId)) continue
    const money = records(world).find(({ id }) => id === unexpectedMoneyId)
    if (!money) expect([entryType, amount]).toEqual(['credit', current(world).amountPaid])
    else if (entryType === 'credit' || isReturn(money)) expect(amount).toBe(money.amount)
    else expect(amount <= (money.amount ?? 0n)).toBe(true)
  }
  const own = records(world).filter(
    money => hasOwnCredit(money.kind) && isOfOwnReceipt(current(world), money),
  )
  // The money of an open record has not been credited, unless it was refunded and the refund failed.
  const wasRefunded = new Set(operatorRefunds(world).map(({ refundedMoneyId }) => refundedMoneyId))
  for (const { id, credited } of own.filter(({ status }) => status === 'open'))
    if (!wasRefunded.has(id)) expect(credited).toBe(false)
}
