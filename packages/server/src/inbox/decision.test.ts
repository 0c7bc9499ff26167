import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePayment, now } from '../../test/support/make.ts'
import { type Payment, type PaymentEvent, paymentReceived } from '../payments/payment.ts'
import { postingFor } from '../payments/payment-posting.ts'
import { applyEvent } from '../payments/transitions.ts'
import { type UnexpectedMoney, unexpectedMoneyOf } from '../payments/unexpected-money.ts'
import { acceptance, type Decision, type KeptMoney, refund } from './decision.ts'

const AMOUNT = 100n
const payment = makePayment({ amount: AMOUNT })
const reference = payment.paymentCode

const kept = (overrides: Partial<KeptMoney> = {}): KeptMoney => ({
  id: 'm-1',
  kind: 'second_payment',
  status: 'open',
  provider: 'midtrans',
  providerAccountId: payment.providerAccountId,
  mode: 'live',
  reference,
  receipt: 'r-2',
  tenantId: payment.tenantId,
  paymentId: payment.id,
  paymentCode: payment.paymentCode,
  amount: 70n,
  expectedAmount: AMOUNT,
  credited: false,
  paidAt: now,
  createdAt: now,
  decidedAt: null,
  reason: null,
  ...overrides,
})
const paidPayment: Payment = {
  ...payment,
  status: 'paid',
  paidAt: now,
  amountPaid: AMOUNT,
  paidReference: reference,
  receipt: 'r-1',
}
const wanted = { amount: undefined, reason: 'wants it back' }
const alone = { otherParts: false, creditedBesides: false }

describe('accepting', () => {
  test('never credits what paid the payment already, by whichever record it is told', () => {
    const again = kept({ receipt: 'r-1' })
    expect(acceptance(again, paidPayment)).toEqual({ status: 'accepted', credited: true })
    const withoutReceipt = { ...paidPayment, receipt: null }
    expect(acceptance(kept({ receipt: '' }), withoutReceipt)).toEqual({ status: 'accepted', credited: true })
  })

  test('pays with the money as it arrived: its amount, its time, its reference and its receipt', () => {
    expect(acceptance(kept(), payment).event).toEqual({
      type: 'paid',
      amountPaid: 70n,
      paidAt: now,
      reference,
      receipt: 'r-2',
      acceptedId: 'm-1',
    })
    expect(acceptance(kept({ receipt: '' }), payment).event).not.toHaveProperty('receipt')
  })
})

describe('giving back', () => {
  test('takes from the ledger what nobody agreed on, unless another sum is named', () => {
    const amountOf = ({ event }: Decision) => event?.type === 'refunded' && event.amount
    const overpaid = kept({ kind: 'overpaid', amount: 130n, credited: true })
    expect(amountOf(refund(overpaid, paidPayment, alone, wanted))).toBe(30n)
    expect(amountOf(refund(overpaid, paidPayment, alone, { ...wanted, amount: 130n }))).toBe(130n)
    const late = kept({ kind: 'late', amount: 130n, credited: true })
    expect(amountOf(refund(late, paidPayment, alone, wanted))).toBe(130n)
  })

  test('fails a payment that is challenged because of it alone', () => {
    const part = kept({ kind: 'underpaid' })
    const challenged: Payment = { ...payment, status: 'challenged' }
    expect(refund(part, challenged, alone, wanted).event).toEqual({ type: 'failed', reason: 'wants it back' })
    expect(refund(part, challenged, { ...alone, otherParts: true }, wanted)).not.toHaveProperty('event')
    expect(refund(part, { ...payment, status: 'expired' }, alone, wanted)).not.toHaveProperty('event')
    expect(refund(kept(), challenged, alone, wanted)).not.toHaveProperty('event')
  })
})

describe('after a reversal', () => {
  const reversed: Payment = { ...paidPayment, reversedAt: now }
  const part = kept({ kind: 'underpaid', status: 'accepted', receipt: '', credited: true })

  test('what paid the payment cannot go back as well, by whichever receipt its record was told', () => {
    expect(() => refund(part, reversed, alone, wanted)).toThrow('the provider has taken back what paid')
  })

  test('what was credited besides still can', () => {
    const besides = { ...alone, creditedBesides: true }
    expect(refund(part, reversed, besides, wanted).event).toMatchObject({ type: 'refunded', amount: 70n })
  })
})

// What record-event.ts and the unique index of arrivals do with the tables, in memory.
type World = {
  payment: Payment
  records: KeptMoney[]
  entries: { unexpectedMoneyId: string | null; entryType: 'credit' | 'debit'; amount: bigint }[]
  /** The receipts of the credits. */
  credited: string[]
}

const classOf = ({ kind }: UnexpectedMoney): string =>
  kind === 'reversal' ? kind : kind === 'late' || kind === 'overpaid' ? 'at once' : 'waits'

function keep(world: World, money: UnexpectedMoney): void {
  const known = world.records.find(each => each.receipt === money.receipt && classOf(each) === classOf(money))
  if (!known)
    world.records.push({ ...money, status: 'open', paymentCode: null, decidedAt: null, reason: null })
  else if (known.status === 'open' && !known.credited && money.amount > known.amount)
    known.amount = money.amount
}

function record(world: World, event: PaymentEvent): void {
  const before = world.payment
  const applied = applyEvent(before, event, now)
  world.payment = applied.payment
  const money = unexpectedMoneyOf(before, event, applied, now)
  if (money) keep(world, money)
  const posting = applied.kind === 'changed' && postingFor(applied.payment, event)
  if (posting) world.entries.push(posting)
  if (event.type !== 'paid' || applied.payment === before) return
  if (applied.kind === 'changed') world.credited.push(event.receipt ?? '')
  if (event.acceptedId !== undefined || before.amountReceived === null) return
  for (const part of world.records)
    if (part.kind === 'underpaid' && part.status === 'open' && part.receipt === event.receipt)
      Object.assign(part, { status: 'accepted', credited: true })
}

function decide(world: World, index: number, verb: 'accept' | 'refund', amount: bigint | undefined): void {
  const money = world.records[index % world.records.length]
  if (!money) return
  const otherParts = world.records.some(
    each => each !== money && each.kind === 'underpaid' && each.status === 'open',
  )
  const creditedBesides = world.entries.some(
    each => each.unexpectedMoneyId === money.id && each.entryType === 'credit',
  )
  let decision: Decision
  try {
    decision =
      verb === 'accept'
        ? acceptance(money, world.payment)
        : refund(money, world.payment, { otherParts, creditedBesides }, { amount, reason: 'why' })
  } catch {
    return
  }
  const { event, ...fields } = decision
  Object.assign(money, fields)
  if (event) record(world, event)
  if (event?.type === 'paid_again') world.credited.push(money.receipt)
}

// Hypothesis: each receipt arrives with one sum, or with a smaller one before, and may be told any number of times, in
// any order, among the other things that happen to a payment and with any decisions of the Owner in between.
test('whatever arrives and is decided in whatever order, the ledger has each receipt at most once and is what its records say', () => {
  const sums: Record<string, bigint[]> = {
    a: [100n],
    b: [30n, 100n],
    c: [20n, 130n],
    d: [40n],
    e: [50n, 60n],
  }
  const arrival = fc.constantFrom(...Object.keys(sums)).chain(receipt =>
    fc.record({
      receipt: fc.constant(receipt),
      amountPaid: fc.constantFrom(...(sums[receipt] as bigint[])),
    }),
  )
  const other = fc.constantFrom<PaymentEvent>(
    { type: 'reversed', reason: 'deny', unexpectedMoneyId: 'reversal-1' },
    { type: 'failed', reason: 'deny' },
    { type: 'expired' },
    { type: 'cancelled' },
    { type: 'challenged', reason: 'held' },
  )
  const word = fc.record({
    index: fc.nat(7),
    verb: fc.constantFrom('accept' as const, 'refund' as const),
    amount: fc.option(fc.bigInt({ min: 1n, max: 140n }), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(arrival, arrival, other, word), { maxLength: 30 }), steps => {
      const world: World = { payment, records: [], entries: [], credited: [] }
      for (const step of steps) {
        if ('verb' in step) decide(world, step.index, step.verb, step.amount)
        else if ('type' in step) record(world, step)
        else record(world, paymentReceived(payment, { ...step, paidAt: now, reference }))
      }
      const { records, entries, credited } = world
      expect(new Set(credited).size).toBe(credited.length)
      // One credit of the payment's own, and for each record one credit and one debit.
      const places = entries.map(each => `${each.unexpectedMoneyId} ${each.entryType}`)
      expect(new Set(places).size).toBe(places.length)
      for (const { amount, entryType, unexpectedMoneyId } of entries) {
        const money = records.find(each => each.id === unexpectedMoneyId)
        if (!money) expect([entryType, amount]).toEqual(['credit', world.payment.amountPaid])
        else if (entryType === 'credit') expect(amount).toBe(money.amount)
        else expect(amount).toBeLessThanOrEqual(money.amount)
      }
      for (const money of records) {
        const { id, kind, receipt, status } = money
        if (kind === 'reversal') continue
        if (money.credited) expect(credited).toContain(receipt)
        else if (credited.includes(receipt)) expect(status).toBe('refunded')
        const isDebited = entries.some(each => each.unexpectedMoneyId === id && each.entryType === 'debit')
        expect(isDebited).toBe(status === 'refunded' && money.credited)
      }
    }),
    { numRuns: 2_000 },
  )
})
