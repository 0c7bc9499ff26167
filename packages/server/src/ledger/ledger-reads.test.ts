// Tests the ledger queries: pages of entries, balances, and amounts on hold for undecided refunds. Also tests the
// metric for posted entries.

import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { insertUnexpectedMoney } from '../payments/record/unexpected-money.sql.ts'
import { newRecord, type UnexpectedMoney } from '../payments/record/unexpected-money.ts'
import type { Mode } from '../values/mode.ts'
import { MAX_SUM } from '../values/money.ts'
import {
  findBalance,
  findPosition,
  listEntries,
  listEntriesOfPayment,
  type Position,
  postTransfers,
  sumUndecidedReturns,
} from './ledger.sql.ts'
import { ledgerMetrics } from './ledger-metrics.ts'
import { type Transfer, transfer } from './transfer.ts'

const { db } = await testDatabase()

let tenantId: string
beforeEach(async () => {
  tenantId = await makeTenant(db)
})

/** Posts one credit for each amount in `amounts`. Each credit belongs to a new payment. */
async function credit(amounts: bigint[], mode: Mode = 'live', to = tenantId): Promise<void> {
  const transfers: Transfer[] = []
  for (const amount of amounts) {
    const { id: paymentId } = await insertPendingPayment(db, { tenantId: to })
    transfers.push({
      ...transfer('provider', 'merchant', amount),
      ...{ tenantId: to, mode, paymentId, unexpectedMoneyId: null },
      ...{ referenceId: 'r', reason: 'received' },
    })
  }
  await db.transaction(tx => postTransfers(tx, transfers, now))
}
const amountsOf = async (after: Position | null, limit: number, mode: Mode | null = 'live') =>
  (await listEntries(db, tenantId, mode, after, limit)).map(({ amount }) => amount)
const at = (version: bigint, mode: Mode = 'live'): Position => ({ mode, version })

test("a balance's ledger entries are listed newest first, page by page", async () => {
  await credit([1n, 2n, 3n])
  await credit([10n], 'test')
  await credit([20n], 'live', await makeTenant(db))
  expect(await amountsOf(null, 9)).toEqual([3n, 2n, 1n])
  expect(await amountsOf(null, 2)).toEqual([3n, 2n])
  expect(await amountsOf(at(2n), 9)).toEqual([1n])
  expect(await amountsOf(null, 9, 'test')).toEqual([10n])
  const [first] = await listEntries(db, tenantId, 'live', at(2n), 9)
  expect(await listEntriesOfPayment(db, tenantId, first?.paymentId ?? '')).toEqual([first])
})

test('ledger entries are listed page by page, first those in live mode, then those in test mode', async () => {
  await credit([1n, 2n])
  await credit([10n, 20n], 'test')
  expect(await amountsOf(null, 9, null)).toEqual([2n, 1n, 20n, 10n])
  expect(await amountsOf(at(2n), 2, null)).toEqual([1n, 20n])
  expect(await amountsOf(at(1n), 9, null)).toEqual([20n, 10n])
  expect(await amountsOf(at(2n, 'test'), 9, null)).toEqual([10n])
})

test('findPosition returns the position of a ledger entry only if the given tenant and mode match the entry', async () => {
  await credit([1n, 2n])
  const [last] = await listEntries(db, tenantId, 'live', null, 1)
  const id = last?.id ?? ''
  expect(await findPosition(db, tenantId, 'live', id)).toEqual(at(2n))
  expect(await findPosition(db, tenantId, null, id)).toEqual(at(2n))
  expect(await findPosition(db, tenantId, 'test', id)).toBeUndefined()
  expect(await findPosition(db, randomUUID(), 'live', id)).toBeUndefined()
})

test('a tenant without ledger entries has a balance of zero and no amount on hold', async () => {
  const unknown = randomUUID()
  expect(await findBalance(db, unknown, 'live')).toBe(0n)
  expect(await sumUndecidedReturns(db, unknown, 'live')).toBe(0n)
})

test('the amount on hold is the sum of undecided refunds and chargebacks in one mode', async () => {
  const { id: paymentId } = await insertPendingPayment(db, { tenantId })
  const hold = (fields: Partial<UnexpectedMoney>) =>
    insertUnexpectedMoney(db, [
      newRecord(
        {
          ...{ tenantId, mode: 'live', paymentId, provider: 'midtrans', providerAccountId: randomUUID() },
          ...{ kind: 'refund', reference: 'r', receipt: randomUUID(), amount: 5n, credited: false },
          ...{ returnStatus: 'pending', expectedAmount: null, paidAt: now, ...fields },
        } as UnexpectedMoney,
        now,
      ),
    ])
  await hold({})
  await hold({ kind: 'chargeback', amount: 7n, returnStatus: 'succeeded' })
  await hold({ kind: 'second_payment', amount: 100n, returnStatus: null })
  expect(await sumUndecidedReturns(db, tenantId, 'live')).toBe(12n)
  expect(await sumUndecidedReturns(db, tenantId, 'test')).toBe(0n)
  await hold({ amount: MAX_SUM })
  expect(await sumUndecidedReturns(db, tenantId, 'live')).toBe(MAX_SUM)
})

test('a metric counts ledger entries by type and mode when their transaction is committed', async () => {
  const counted = async (mode: Mode) =>
    (await ledgerMetrics.entries.get()).values.find(
      ({ labels }) => labels.entry_type === 'credit' && labels.mode === mode,
    )?.value ?? 0
  const before = { live: await counted('live'), test: await counted('test') }
  await credit([1n, 2n])
  await credit([3n], 'test')
  await expect(credit([0n])).rejects.toThrow()
  expect(await counted('live')).toBe(before.live + 2)
  expect(await counted('test')).toBe(before.test + 1)
})
