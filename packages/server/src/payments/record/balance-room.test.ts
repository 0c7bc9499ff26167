// Tests that a credit is posted only if the merchant's balance does not exceed its maximum, MAX_SUM cents. Any other
// credit is withheld until the operator decides on it (docs/decisions/0035-maximum-balance.md).

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { findBalance, postTransfers } from '../../ledger/ledger.sql.ts'
import { ledgerMetrics } from '../../ledger/ledger-metrics.ts'
import { transfer } from '../../ledger/transfer.ts'
import type { Mode } from '../../values/mode.ts'
import { MAX_SUM } from '../../values/money.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../payment.ts'
import { newBatch } from './event-batch.ts'
import { recordEvents } from './record-event.ts'
import { recordStep } from './record-step.ts'

const received = (payment: Payment): PaymentEvent & { type: 'paid' } =>
  moneyReceivedEvent(payment, {
    ...{ amountPaid: payment.amount, paidAt: now, reference: payment.paymentCode, receipt: 'r-1' },
  }) as PaymentEvent & { type: 'paid' }
const reportOf = ({ tenantId, id: paymentId }: Payment) => ({
  ...{ tenantId, paymentId, cause: 'callback' },
  event: undefined as never,
})

describe('a batch of events never raises a balance above its maximum', () => {
  const tenantId = '01990000-0000-7000-8000-000000000001'
  const pending = (amount: bigint, overrides: Partial<Payment> = {}) =>
    makePayment({ tenantId, amount, ...overrides })
  const batchOf = (payments: Payment[], balance: bigint, mode: Mode = 'live') =>
    newBatch(payments, later(5_000), [{ tenantId, mode, balance }])

  test("a credit that brings the tenant's balance exactly to its limit is posted", () => {
    const payment = pending(1_000n)
    const batch = batchOf([payment], MAX_SUM - 1_000n)
    expect(recordStep(batch, reportOf(payment), received(payment))).toMatchObject({ kind: 'changed' })
    expect(batch.transfers).toMatchObject([{ to: 'merchant', amount: 1_000n }])
    expect(batch.withheld).toEqual([])
  })

  test('a credit is withheld even if it exceeds the balance limit by only one cent', () => {
    const payment = pending(1_000n)
    const batch = batchOf([payment], MAX_SUM - 999n)
    const recorded = recordStep(batch, reportOf(payment), received(payment))
    const reason = `not credited: the balance would exceed ${MAX_SUM} cents, so the 1000 cents wait for the Owner's decision`
    expect(recorded).toMatchObject({ payment: { status: 'challenged', failureReason: reason } })
    expect(batch.transfers).toEqual([])
    expect(batch.withheld).toEqual([payment])
    expect(batch.changedRecords().inserted).toMatchObject([
      { kind: 'underpaid', amount: 1_000n, receipt: 'r-1', reference: payment.paymentCode, credited: false },
    ])
  })

  test.each([
    { acceptedId: '01990000-0000-7000-8000-000000000002' },
    { unconfirmed: 'seen in the bank statement' },
  ])(
    "a credit that the Owner requests is rejected if the tenant's balance would exceed its limit: %o",
    asked => {
      const payment = pending(1_000n)
      const credit = () =>
        recordStep(batchOf([payment], MAX_SUM), reportOf(payment), { ...received(payment), ...asked })
      expect(credit).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
      expect(credit).toThrow(`the balance would exceed its maximum of ${MAX_SUM} cents`)
    },
  )

  test('additional money for a paid payment cannot be credited if the balance would exceed its limit', () => {
    const payment = pending(1_000n, { status: 'paid', paidAt: now, amountPaid: 1_000n, receipt: 'r-1' })
    const again: PaymentEvent = { type: 'paid_again', amount: 1n, unexpectedMoneyId: 'u-1' }
    expect(() => recordStep(batchOf([payment], MAX_SUM), reportOf(payment), again)).toThrow(
      `the balance would exceed its maximum of ${MAX_SUM} cents`,
    )
  })

  test('within a batch, each credit lowers the amount that can be credited, and each debit raises this amount', () => {
    const [first, second] = [pending(1_000n), pending(1_000n)]
    const batch = batchOf([first, second], MAX_SUM - 1_500n)
    recordStep(batch, reportOf(first), received(first))
    const [credit] = batch.transfers
    if (!credit) throw new Error('the first payment was not credited')
    expect(batch.creditableAmount(credit)).toBe(500n)
    batch.addTransfer({ ...credit, from: 'merchant', to: credit.from, amount: 500n })
    expect(batch.creditableAmount(credit)).toBe(1_000n)
    recordStep(batch, reportOf(second), received(second))
    expect(batch.creditableAmount(credit)).toBe(0n)
    expect(batch.withheld).toEqual([])
  })

  test('the balance limit applies separately to live mode and test mode', () => {
    const payment = pending(1_000n, { mode: 'test' })
    const batch = batchOf([payment], MAX_SUM, 'live')
    recordStep(batch, reportOf(payment), received(payment))
    expect(batch.withheld).toEqual([])
    expect(batch.transfers).toMatchObject([{ mode: 'test', amount: 1_000n }])
  })
})

describe("a credit that would exceed the tenant's balance limit is withheld until the operator decides on it", async () => {
  const { db } = await testDatabase()
  let payment: Payment
  beforeEach(async () => {
    const tenantId = await makeTenant(db)
    payment = await insertPendingPayment(db, { tenantId, amount: 1_000n })
    const { id: paymentId } = await insertPendingPayment(db, { tenantId })
    const fill = { tenantId, mode: 'live', paymentId, unexpectedMoneyId: null } as const
    const amount = MAX_SUM - 999n
    await db.transaction(tx =>
      postTransfers(
        tx,
        [{ ...fill, ...transfer('provider', 'merchant', amount), referenceId: 'r', reason: 'received' }],
        now,
      ),
    )
  })
  const withheld = async () =>
    (await ledgerMetrics.withheld.get()).values.find(({ labels }) => labels.mode === 'live')?.value ?? 0

  test('a withheld credit is counted in the metrics and logged only after the batch is committed', async () => {
    const { tenantId, id: paymentId, paymentCode } = payment
    const log = { error: vi.fn() }
    const before = await withheld()
    const report = { tenantId, paymentId, event: received(payment), cause: 'callback' }
    await db
      .transaction(async tx => {
        await recordEvents(tx, [report], now, log)
        throw new Error('undone')
      })
      .catch(() => {})
    expect(await withheld()).toBe(before)
    expect(log.error).not.toHaveBeenCalled()

    await db.transaction(tx => recordEvents(tx, [report], now, log))
    expect(await withheld()).toBe(before + 1)
    expect(log.error).toHaveBeenCalledExactlyOnceWith(
      { tenantId, paymentId, paymentCode, mode: 'live' },
      expect.any(String),
    )
    expect(await findBalance(db, tenantId, 'live')).toBe(MAX_SUM - 999n)
  })

  test('if no logger is passed, a credit that would exceed the balance limit is still withheld', async () => {
    const { tenantId, id: paymentId } = payment
    const report = { tenantId, paymentId, event: received(payment), cause: 'callback' }
    const [recorded] = await db.transaction(tx => recordEvents(tx, [report], now))
    expect(recorded?.payment).toMatchObject({ status: 'challenged' })
  })
})
