// Tests that money whose order reference matches no payment waits for the operator's decision.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import { findBalance, postTransfers } from '../../ledger/ledger.sql.ts'
import { transfer } from '../../ledger/transfer.ts'
import type { MoneyReturn, ProviderUpdate } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { moneyReceivedEvent } from '../payment.ts'
import { recordEvents } from './record-event.ts'
import { isAboutMoney, recordUnmatchedMoney } from './record-unmatched-money.ts'

const { db } = await testDatabase()

let account: { provider: string; providerAccountId: string; mode: 'live' }
beforeEach(() => {
  account = { provider: 'midtrans', providerAccountId: newId(), mode: 'live' }
})

const update = (
  fact: ProviderUpdate['fact'],
  returns?: MoneyReturn[],
  reference = 'unknown',
): ProviderUpdate => ({
  ...{ reference, providerPaymentId: 'p-1', fact },
  ...(returns && { returns }),
})
const paid = (amountPaid: bigint, receipt?: string): ProviderUpdate['fact'] => ({
  ...{ type: 'paid', amountPaid, paidAt: later(-60_000) },
  ...(receipt !== undefined && { receipt }),
})
const nothing = { type: 'nothing', reason: 'a refund' } as const
const refund = (status: MoneyReturn['status'] = 'pending'): MoneyReturn => ({
  ...{ kind: 'refund', id: 'f-1', amount: 400n, status },
})
const record = (...reports: ProviderUpdate[]) =>
  db.transaction(tx =>
    recordUnmatchedMoney(
      tx,
      reports.map(each => ({ ...account, update: each })),
      now,
    ),
  )
const records = async () =>
  (
    await db.raw(
      `select kind, reference, coalesce(provider_id, receipt) as receipt, from_amount as "from", amount, credited, status
       from unexpected_money where provider_account_id = ? order by created_at, id`,
      [account.providerAccountId],
    )
  ).rows

const first = {
  ...{ kind: 'unknown_reference', reference: 'unknown', receipt: 'r-1' },
  ...{ from: 0n, amount: 1_000n, credited: false, status: 'open' },
}

describe("received money that matches no payment is recorded for the operator's decision", () => {
  test('money that matches no payment is recorded once, with its payment time, however often the provider reports it', async () => {
    await record(update(paid(1_000n, 'r-1')), update(paid(1_000n, 'r-1')))
    await record(update(paid(1_000n, 'r-1')))
    expect(await records()).toEqual([first])
    const { rows } = await db.raw(
      'select mode, paid_at, created_at, payment_id from unexpected_money where provider_account_id = ?',
      [account.providerAccountId],
    )
    expect(rows).toEqual([{ mode: 'live', paid_at: later(-60_000), created_at: now, payment_id: null }])
  })

  test('if unmatched money is reported without a payment time, its payment time is the time of the report', async () => {
    await record(update({ type: 'paid', amountPaid: 1_000n }), update(paid(500n, 'r-1')))
    expect(await records()).toMatchObject([
      { receipt: '', amount: 1_000n },
      { receipt: 'r-1', amount: 500n },
    ])
    const { rows } = await db.raw(
      "select paid_at from unexpected_money where provider_account_id = ? and receipt = ''",
      [account.providerAccountId],
    )
    expect(rows).toEqual([{ paid_at: now }])
  })

  test('a larger amount reported for money without a known payment increases the amount of its open record', async () => {
    await record(update(paid(1_000n, 'r-1')))
    await record(update(paid(1_200n, 'r-1')), update(paid(1_500n, 'r-1')))
    await record(update(paid(1_300n, 'r-1')))
    expect(await records()).toEqual([{ ...first, amount: 1_500n }])
  })

  test("an increase of unmatched money after the operator's decision gets its own record", async () => {
    await record(update(paid(1_000n, 'r-1')))
    await db.raw(
      "update unexpected_money set status = 'refunded', decided_at = now() where provider_account_id = ?",
      [account.providerAccountId],
    )
    await record(update(paid(1_000n, 'r-1')))
    expect(await records()).toEqual([{ ...first, status: 'refunded' }])
    await record(update(paid(1_000n, 'r-1')), update(paid(1_500n, 'r-1')))
    expect(await records()).toEqual([
      { ...first, status: 'refunded' },
      { ...first, from: 1_000n, amount: 500n },
    ])
  })

  test('unmatched money with the same receipt id is recorded separately if the order references or the provider accounts differ', async () => {
    await record(update(paid(1_000n, 'r-1')), update(paid(1_000n, 'r-1'), undefined, 'other'))
    const [mine, theirs] = [account, { ...account, providerAccountId: newId() }]
    await db.transaction(tx =>
      recordUnmatchedMoney(
        tx,
        [mine, theirs].map(each => ({ ...each, update: update(paid(700n, 'r-1')) })),
        now,
      ),
    )
    expect((await records()).map((each: { reference: string }) => each.reference).sort()).toEqual([
      'other',
      'unknown',
    ])
    account = theirs
    expect(await records()).toMatchObject([{ amount: 700n }])
  })
})

describe('refunds that match no payment get their own records', () => {
  test('an unmatched refund has its own record, which is updated until the refund is final', async () => {
    await record(update(paid(1_000n, 'r-1'), [refund()]))
    await record(update(nothing, [refund()]))
    expect(await records()).toEqual([first, { ...first, kind: 'refund', receipt: 'f-1', amount: 400n }])
    await record(update(nothing, [refund('failed')]))
    expect(await records()).toMatchObject([first, { kind: 'refund', status: 'dismissed' }])
  })

  test('a refund that was assigned to a payment and is later reported as failed is credited back only once', async () => {
    const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: 1_000n })
    const { tenantId, id: paymentId, paymentCode } = payment
    const event = moneyReceivedEvent(payment, {
      ...{ amountPaid: 1_000n, paidAt: now, reference: paymentCode, receipt: 'r-9' },
    })
    await record(update(nothing, [refund()]))
    await db.transaction(async tx => {
      await recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now)
      const { rows } = await tx.raw(
        `update unexpected_money set tenant_id = ?, payment_id = ?, credited = true, status = 'accepted', decided_at = now()
         where provider_account_id = ? returning id`,
        [tenantId, paymentId, account.providerAccountId],
      )
      const debit = { tenantId, mode: 'live', paymentId, ...transfer('merchant', 'provider', 400n) } as const
      await postTransfers(
        tx,
        [{ ...debit, unexpectedMoneyId: rows[0].id, referenceId: 'f-1', reason: 'a refund' }],
        now,
      )
    })
    expect(await findBalance(db, tenantId, 'live')).toBe(600n)
    await record(update(nothing, [refund('failed')]))
    await record(update(nothing, [refund('failed')]))
    expect(await records()).toMatchObject([{ kind: 'refund', status: 'dismissed' }])
    expect(await findBalance(db, tenantId, 'live')).toBe(1_000n)
  })

  test('a refund and received money with the same ID get separate records', async () => {
    await record(update(nothing, [{ ...refund(), id: 'r-1' }]))
    await record(update(paid(1_000n, 'r-1')))
    expect(await records()).toMatchObject([
      { kind: 'refund', amount: 400n },
      { kind: 'unknown_reference', amount: 1_000n },
    ])
  })
})

test('a report about an unknown order creates a record only if money was received or returned', async () => {
  await record(update(nothing), update({ type: 'expired' }))
  expect(await records()).toEqual([])
})

test.each([
  [update(paid(1n)), true],
  [update(nothing, [refund()]), true],
  [update(nothing, []), false],
  [update(nothing), false],
])(
  "a provider's report concerns money only if its status is paid or it lists refunds or chargebacks",
  (each, expected) => {
    expect(isAboutMoney(each)).toBe(expected)
  },
)
