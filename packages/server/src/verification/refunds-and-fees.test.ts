// Tests that verification compares refunds and fees with the ledger. A seal (a hash of ledger entries) cannot detect
// changes to an entry's refund ID or a fee's transfers, because these data are not part of the hash.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { ledgerDifferences, tamper } from '../../test/support/ledger.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import type { LedgerDifference } from '../ledger/ledger-difference.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { verifyLedger } from './verify-ledger.ts'
import { verifyRefundsAndFees } from './verify-refunds-and-fees.ts'

const operator = {
  ...{ version: 1, refund_fees: true, percent_bps: 100, fixed: 0 },
  ...{ min: null, max: null, tax_bps: 0 },
}

/**
 * Creates a ledger with a payment of 1,000 cents, its fee of 10 cents, and a refund of 400 cents. The refund returned 4
 * cents of the fee.
 */
async function refundedPayment() {
  const { db, url } = await testDatabase()
  const tenantId = await makeTenant(db)
  const payment = await insertPendingPayment(db, {
    tenantId,
    amount: 1_000n,
    feeTerms: { operator, partner: null },
  })
  const { id: paymentId, paymentCode: reference } = payment
  await db.transaction(tx =>
    recordEvents(
      tx,
      [
        {
          ...{ tenantId, paymentId, cause: 'callback' },
          event: { type: 'paid', amountPaid: 1_000n, paidAt: later(1_000), reference },
          reportedReturns: {
            reference,
            returns: [{ kind: 'refund', id: 'r1', amount: 400n, status: 'succeeded' }],
          },
        },
      ],
      now,
    ),
  )
  return {
    ...{ db, paymentId },
    tamper: (sql: string) => tamper(url, [sql, [paymentId]]),
    found: () => ledgerDifferences({ db }),
  }
}

test('ledger verification accepts a payment with a fee if a refund has returned part of the fee', async () => {
  const { found } = await refundedPayment()
  expect(await found()).toEqual([])
})

test.each([
  [
    'an entry that no longer names its refund',
    'update ledger_entries set refund_id = null where payment_id = $1',
    { kind: 'refund_differs', expected: '400', found: '0' },
  ],
  [
    'a refund with another amount',
    'update refunds set amount = amount + 1 where payment_id = $1',
    { kind: 'refund_differs', expected: '401', found: '400' },
  ],
  [
    'a refund that failed and is not credited back',
    "update refunds set status = 'failed' where payment_id = $1",
    { kind: 'refund_differs', expected: '0', found: '400' },
  ],
  [
    'a fee with another amount',
    'update fee_charges set net = net + 1 where payment_id = $1 and number = 0',
    { kind: 'fee_differs', expected: '7', found: '6' },
  ],
  [
    'a fee of a payment in another mode',
    "update fee_charges set mode = 'test' where payment_id = $1 and number = 0",
    { kind: 'fee_differs', mode: 'test', expected: '10', found: '0' },
  ],
  [
    'a removed fee',
    'delete from fee_charges where payment_id = $1',
    { kind: 'fee_differs', expected: '0', found: '6' },
  ],
])(
  'the verification of refunds and fees reports data that was changed directly in the database: %s',
  async (_, sql, difference) => {
    const ledger = await refundedPayment()
    await ledger.tamper(sql)
    expect(await ledger.found()).toContainEqual(
      expect.objectContaining({ ...difference, payment_id: ledger.paymentId }),
    )
  },
)

test('the verification reports its progress after each page of refunds, payments and fees', async () => {
  const { db } = await refundedPayment()
  let pages = 0
  await verifyRefundsAndFees(
    db,
    [undefined],
    () => {},
    () => void pages++,
  )
  expect(pages).toBe(3)
})

test('ledger verification reports a ledger entry for a refund of money that was never credited', async () => {
  const { db, url } = await testDatabase()
  const scene = refundScene(db)
  await scene.begin()
  await scene.receive(120_000n, 'r-1')
  await scene.receive(70_000n, 'r-2')
  await scene.giveBack()
  const [, second] = await scene.records()
  await scene.giveBack({ bankAccount }, second?.id)
  const differences: LedgerDifference[] = []
  const onDifference = (difference: LedgerDifference) => differences.push(difference)
  const verify = () => verifyLedger({ db, providers: new Map() }, [], { onDifference, onPage: () => {} })
  await verify()
  expect(differences).toEqual([])
  await tamper(url, [
    `update ledger_entries set refund_id = (select id from refunds where source = 'uncredited' and payment_id = $1)
     where payment_id = $1 and entry_type = 'debit'`,
    [scene.payment.id],
  ])
  await verify()
  expect(differences).toMatchObject([{ kind: 'refund_differs' }, { kind: 'refund_differs' }])
})
