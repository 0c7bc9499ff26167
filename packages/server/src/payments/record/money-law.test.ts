import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePayment, now } from '../../../test/support/make-payment.ts'
import {
  type Held,
  held,
  nothingHeld,
  recorded,
  reportReceipt,
  reportReturn,
  takeBack,
} from '../../../test/support/money-invariant.ts'
import {
  type Decision,
  decideAcceptance,
  decideDismissal,
  decideRefund,
  type UnexpectedMoneyRow,
} from '../../inbox/decision.ts'
import type { MoneyReturn, ProviderUpdate } from '../../providers/provider.ts'
import type { Payment, PaymentEvent } from '../payment.ts'
import { type Batch, newBatch } from './event-batch.ts'
import { interpretInquiry } from './interpret-update.ts'
import { eventsInOrder, hasOwnCredit, isOfOwnReceipt } from './plan-received-money.ts'
import { recordReturns, recordStep } from './record-step.ts'
import { isReturn, returnName, type UnexpectedMoney } from './unexpected-money.ts'

const AMOUNT = 100n
const payment = makePayment({ amount: AMOUNT })
const key = { tenantId: payment.tenantId, paymentId: payment.id }
const reference = payment.paymentCode

/** An in-memory model of record-event.ts and the database, next to a model of what the provider holds. */
type World = { batch: Batch; held: Held }
const current = ({ batch }: World): Payment => batch.paymentOf(key)
const records = ({ batch }: World): UnexpectedMoney[] => batch.recordsOf(key)
const report = (event: PaymentEvent) => ({ ...key, event, cause: 'callback' })

function record(world: World, event: PaymentEvent): void {
  for (const step of eventsInOrder(current(world), event)) recordStep(world.batch, report(step), step)
}

type Fact = ProviderUpdate['fact']

/** The provider reports its current status in the response to a status inquiry. */
function tell(world: World, fact: Fact): void {
  const before = current(world)
  const event = interpretInquiry({ reference, providerPaymentId: 'p', fact }, before, before, {
    now,
    publicUrl: 'http://localhost',
  })
  if (fact.type === 'paid') {
    reportReceipt(world.held, fact.receipt ?? '', fact.amountPaid)
    world.held.unconfirmed = 0n
  } else if (before.unconfirmedSince !== null) {
    if (event?.type === 'reversed') world.held.unconfirmed = 0n
  } else if (event?.type === 'reversed') takeBack(world.held, before.receipt ?? '')
  if (event) record(world, event)
}

function tellReturn(world: World, told: MoneyReturn): void {
  reportReturn(world.held, told)
  const about = { ...report({ type: 'expired' }), reportedReturns: { reference, returns: [told] } }
  recordReturns(world.batch, about, { kind: 'ignored', payment: current(world) })
}

/** The Owner credits a challenged payment before the provider confirms it. */
function creditUnconfirmed(world: World): void {
  const before = current(world)
  if (before.status !== 'challenged' || before.amountReceived !== null) return
  world.held.unconfirmed = before.amount
  record(world, {
    type: 'paid',
    amountPaid: before.amount,
    paidAt: now,
    reference,
    unconfirmed: 'sure of it',
  })
}

type Verb = 'accept' | 'refund' | 'dismiss'
type Word = { index: number; verb: Verb; amount: bigint | undefined }

function decide(world: World, index: number, verb: Verb, amount: bigint | undefined): void {
  const all = records(world)
  const found = all[index % all.length]
  if (!found) return
  const money: UnexpectedMoneyRow = { ...found, paymentCode: payment.paymentCode }
  const decision = judged(world, money, verb, amount)
  if (!decision) return
  note(world, money, decision)
  const { event, ...fields } = decision
  world.batch.putRecords([{ ...found, ...fields, decidedAt: now, reason: 'decided' }])
  if (event) record(world, event)
}

/** Returns undefined if the service rejects the decision. */
function judged(
  { batch }: World,
  money: UnexpectedMoneyRow,
  verb: Verb,
  amount: bigint | undefined,
): Decision | undefined {
  const payment = batch.paymentOf(key)
  const all = batch.recordsOf(key)
  const otherParts = all.some(
    ({ id, kind, status }) => id !== money.id && kind === 'underpaid' && status === 'open',
  )
  const creditedBesides = batch.postings.some(
    ({ unexpectedMoneyId, entryType }) => unexpectedMoneyId === money.id && entryType === 'credit',
  )
  const takenBack = all.some(({ kind, round }) => kind === 'reversal' && round >= money.round)
  try {
    if (verb === 'accept')
      return decideAcceptance(money, payment, {
        amount: isReturn(money) && money.amount === null ? (amount ?? 1n) : undefined,
        reason: 'why',
      })
    if (verb === 'dismiss') return decideDismissal(money)
    return decideRefund(money, payment, { otherParts, creditedBesides, takenBack }, { amount, reason: 'why' })
  } catch {
    return undefined
  }
}

/** Applies a decision to the model of what the provider holds for the merchant. */
function note({ held }: World, money: UnexpectedMoneyRow, { status, event, amount }: Decision): void {
  const id = returnName(money)
  const known = held.returns.get(id)
  if (status === 'dismissed' && known) known.dismissed = known.status
  if (isReturn(money) && known && amount !== undefined) known.amount = amount
  if (status !== 'refunded') return
  if (event?.type === 'refunded') held.givenBack += event.amount
  else if (!money.credited)
    held.givenBackUncredited.set(
      money.receipt,
      (held.givenBackUncredited.get(money.receipt) ?? 0n) + (money.amount ?? 0n),
    )
}

const sums = fc.bigInt({ min: 1n, max: 150n })
const arrival = (receipts: (string | undefined)[]) =>
  fc
    .record({
      amountPaid: fc.oneof(sums, fc.constantFrom(40n, 100n, 150n)),
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
const end = fc.constantFrom<Fact>(
  { type: 'failed', reason: 'deny' },
  { type: 'failed', reason: 'deny' },
  { type: 'expired' },
  { type: 'cancelled' },
  { type: 'challenged', reason: 'held' },
)
/**
 * Each return (refund or chargeback) has one amount, which some messages omit. The first refund and the chargeback may
 * be reported before the provider lists them with an id.
 */
const amounts = {
  refund: 30n,
  'refund x': 30n,
  'refund y': 20n,
  chargeback: 100n,
  'chargeback z': 100n,
} as const
const moneyReturn = fc
  .record({
    name: fc.constantFrom(...(Object.keys(amounts) as (keyof typeof amounts)[])),
    status: fc.constantFrom<MoneyReturn['status']>('pending', 'succeeded', 'failed'),
    hasAmount: fc.boolean(),
  })
  .map(({ name, status, hasAmount }): MoneyReturn => {
    const [kind, id = null] = name.split(' ') as ['refund' | 'chargeback', string | undefined]
    return { kind, id, amount: hasAmount ? amounts[name] : null, status }
  })
const word = fc.record({
  index: fc.nat(11),
  verb: fc.constantFrom<Verb>('accept', 'refund', 'dismiss'),
  amount: fc.option(fc.bigInt({ min: 1n, max: 140n }), { nil: undefined }),
})

type Step = Fact | MoneyReturn | Word | 'unconfirmed'

/**
 * Random runs rarely generate these steps: the Owner dismisses a return that the provider lists later,
 * with and without a new status.
 */
const dismissedBeforeListed = (['pending', 'failed'] as const).map((status): Step[] => [
  { kind: 'refund', id: null, amount: 30n, status: 'pending' },
  { index: 0, verb: 'dismiss', amount: undefined },
  { kind: 'refund', id: 'y', amount: null, status },
  { kind: 'refund', id: 'y', amount: 20n, status: 'succeeded' },
])
/**
 * The provider reports a return as succeeded and then lists the same return as pending. The Owner dismisses the return
 * before or after that. Then the provider reports it as succeeded again.
 */
const listedAsPending: Step[][] = [1, 2].map(dismissedAt =>
  [
    { kind: 'refund', id: null, amount: 30n, status: 'succeeded' } as const,
    { kind: 'refund', id: 'y', amount: 20n, status: 'pending' } as const,
    { kind: 'refund', id: 'y', amount: null, status: 'succeeded' } as const,
  ].toSpliced(dismissedAt, 0, { index: dismissedAt - 1, verb: 'dismiss', amount: undefined } as never),
)

function run(world: World, step: Step): void {
  if (step === 'unconfirmed') creditUnconfirmed(world)
  else if ('verb' in step) decide(world, step.index, step.verb, step.amount)
  else if ('type' in step) tell(world, step)
  else tellReturn(world, step)
}

// Hypothesis: a provider gives an id to every receipt or to none. The amounts of a receipt grow or repeat
// in any order. Payments are reversed, paid again, refunded and charged back at any time, and the Owner
// may decide anything in between.
test.each([
  ['whose provider sends a receipt for each payment', ['a', 'b', 'c']],
  ['whose provider sends no receipts', [undefined]],
])(
  '[M21] ledger entries and open records add up to what the provider holds, for a payment %s',
  (_, receipts) => {
    const step = fc.oneof(
      arrival(receipts),
      arrival(receipts),
      end,
      moneyReturn,
      word,
      word,
      fc.constant('unconfirmed' as const),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25, size: 'max' }), steps => {
        const world: World = { batch: newBatch([payment], now), held: nothingHeld() }
        for (const each of steps) {
          run(world, each)
          const books = { entries: world.batch.postings, records: records(world) }
          expect(recorded(books)).toBe(held(world.held))
        }
        keepsItsPlaces(world)
      }),
      { numRuns: 2_000, examples: [...dismissedBeforeListed, ...listedAsPending].map(steps => [steps]) },
    )
  },
)

/**
 * Checks the database's own limits: the payment has one credit, and each record has at most one credit and one debit.
 */
function keepsItsPlaces(world: World): void {
  const { postings } = world.batch
  const places = postings.map(each => `${each.unexpectedMoneyId} ${each.entryType}`)
  expect(new Set(places).size).toBe(places.length)
  for (const { amount, entryType, unexpectedMoneyId } of postings) {
    const money = records(world).find(({ id }) => id === unexpectedMoneyId)
    if (!money) expect([entryType, amount]).toEqual(['credit', current(world).amountPaid])
    else if (entryType === 'credit' || isReturn(money)) expect(amount).toBe(money.amount)
    else expect(amount <= (money.amount ?? 0n)).toBe(true)
  }
  const own = records(world).filter(
    money => hasOwnCredit(money.kind) && isOfOwnReceipt(current(world), money),
  )
  for (const money of own.filter(({ status }) => status === 'open')) expect(money.credited).toBe(false)
}
