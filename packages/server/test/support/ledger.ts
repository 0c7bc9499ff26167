// Creates ledgers for tests, and tampers with them as an attacker with database access could.

import pg from 'pg'
import { inject } from 'vitest'
import type { App } from '../../src/app.ts'
import type { Db } from '../../src/db/db.ts'
import { issueLedgerStatement } from '../../src/ledger/issue-statement.ts'
import { postTransfers } from '../../src/ledger/ledger.sql.ts'
import type { LedgerDifference } from '../../src/ledger/ledger-difference.ts'
import type { ProvenHead } from '../../src/ledger/prove-head.ts'
import { sealLedger } from '../../src/ledger/seal-ledger.ts'
import { transfer } from '../../src/ledger/transfer.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { insertUnexpectedMoney } from '../../src/payments/record/unexpected-money.sql.ts'
import { newRecord } from '../../src/payments/record/unexpected-money.ts'
import { newId } from '../../src/values/id.ts'
import type { Mode } from '../../src/values/mode.ts'
import { verifyLedger } from '../../src/verification/verify-ledger.ts'
import { databaseUrl } from './database-url.ts'
import { insertPendingPayment, makeTenant, now } from './make.ts'
import { until } from './merchant.ts'

/** Creates a tenant with `count` paid payments and one pending payment, and returns their ids. */
export async function shop(
  db: Db,
  count: number,
): Promise<{ tenantId: string; paid: string[]; pending: string }> {
  const tenantId = await makeTenant(db)
  const pending = (await insertPendingPayment(db, { tenantId })).id
  return { tenantId, paid: await sell(db, tenantId, count), pending }
}

/** Adds `count` paid payments with one ledger entry each. */
export async function sell(db: Db, tenantId: string, count: number, mode: Mode = 'live'): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await insertPendingPayment(db, { tenantId, mode })).id)
  await db.transaction(tx =>
    recordEvents(
      tx,
      ids.map(paymentId => ({
        tenantId,
        paymentId,
        event: { type: 'paid' as const, amountPaid: 10_000_000n, paidAt: now },
        cause: 'callback' as const,
      })) as never,
      now,
    ),
  )
  return ids
}

/** Runs statements as a superuser with triggers disabled, because the triggers would reject such changes. */
export async function tamper(url: string, ...statements: [sql: string, values: unknown[]][]): Promise<void> {
  const { adminUrl } = inject('databaseUrls')
  const connectionString = databaseUrl(adminUrl, new URL(url).pathname.slice(1))
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const [sql, values] of statements) await client.query(sql, values)
  } finally {
    await client.end()
  }
}

/**
 * Verifies the whole ledger and returns every difference found. Without `providers`, stored callbacks are not compared
 * with the payments.
 */
export async function ledgerDifferences({
  db,
  providers = new Map(),
}: Pick<App, 'db'> & Partial<Pick<App, 'providers'>>): Promise<LedgerDifference[]> {
  const differences: LedgerDifference[] = []
  await verifyLedger({ db, providers }, [], {
    onDifference: difference => void differences.push(difference),
    onPage: () => {},
  })
  return differences
}

/**
 * Creates a ledger statement that covers the current ledger. Retries if a worker seals the ledger (stores a hash of
 * its entries) at the same time.
 */
export const stateNow = (app: App, tenantId: string, mode: Mode): Promise<ProvenHead> =>
  until('a ledger statement covers the current ledger', async () => {
    await sealLedger(app)
    await issueLedgerStatement(app, 0)
    return app.proveHead(tenantId, mode)
  })

/** Inserts a record of unexpected money from a payer who paid a payment a second time. Returns the record's id. */
export async function insertSecondPayment(
  db: Db,
  money: { tenantId: string; paymentId: string; amount: bigint },
): Promise<string> {
  const id = newId()
  const arrival = { provider: 'midtrans', providerAccountId: newId(), mode: 'live', reference: 'r' } as const
  const set = { kind: 'second_payment', receipt: '2', expectedAmount: 10_000_000n, credited: false } as const
  await insertUnexpectedMoney(db, [newRecord({ id, ...arrival, ...set, ...money, paidAt: now }, now)])
  return id
}

/**
 * Records the Owner's refund of credited unexpected money as versions before migration 0085 did: with a debit
 * in the ledger, but without a row in the table `refunds`.
 */
export async function insertEarlierRefund(
  db: Db,
  {
    tenantId,
    paymentId,
    moneyId,
    amount,
  }: { tenantId: string; paymentId: string; moneyId: string; amount: bigint },
): Promise<void> {
  await db.transaction(async tx => {
    await tx.raw(
      "update unexpected_money set status = 'refunded', credited = true, decided_at = now() where id = ?",
      [moneyId],
    )
    const of = { tenantId, paymentId, mode: 'live', unexpectedMoneyId: moneyId, referenceId: 'r' } as const
    await postTransfers(
      tx,
      [{ ...transfer('merchant', 'provider', amount), ...of, reason: 'given back' }],
      now,
    )
  })
}
