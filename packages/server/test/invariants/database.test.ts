// Attacks each guard (trigger, constraint or index) in docs/invariants.md. Each attack runs an SQL statement, as a
// superuser, that would break an invariant. PostgreSQL must reject the statement. After the guards against this attack
// are removed, PostgreSQL must accept the statement.

import { afterAll, describe, expect, inject, test } from 'vitest'
import { createDb, type Tx } from '../../src/db/db.ts'
import { distributedTriggers } from '../../src/db/distribute/distributed-triggers.ts'
import { postTransfers } from '../../src/ledger/ledger.sql.ts'
import { sealLedger } from '../../src/ledger/seal-ledger.ts'
import { transfer } from '../../src/ledger/transfer.ts'
import { createLog } from '../../src/logging/log.ts'
import { lockPaymentsWithBalances } from '../../src/payments/payment.sql.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../../src/payments/payment.ts'
import { newBatch } from '../../src/payments/record/event-batch.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { recordRefund } from '../../src/payments/record/record-refund.ts'
import { recordOperatorRefund, recordRefundEvent } from '../../src/payments/record/record-refund-event.ts'
import { insertUnexpectedMoney } from '../../src/payments/record/unexpected-money.sql.ts'
import { newRecord, paymentFields } from '../../src/payments/record/unexpected-money.ts'
import { writeBatch } from '../../src/payments/record/write-batch.ts'
import { newId } from '../../src/values/id.ts'
import { testDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/database-url.ts'
import { insertPendingPayment, makeTenant, now } from '../support/make.ts'
import { makeRefund } from '../support/make-refund.ts'
import type { Target } from './attack.ts'
import { attacks } from './attacks.ts'

const { url, db } = await testDatabase()
const superuser = createDb(databaseUrl(inject('databaseUrls').adminUrl, new URL(url).pathname.slice(1)), {
  max: 1,
})
afterAll(() => superuser.destroy())

const target = await makeTarget()

async function makeTarget(): Promise<Target> {
  const tenantId = await makeTenant(db)
  const pending = () => insertPendingPayment(db, { tenantId, amount: 100n })
  const [paid, waiting, reversed] = [await pending(), await pending(), await pending()]
  const record = ({ id: paymentId }: Payment, ...events: PaymentEvent[]) =>
    db.transaction(tx =>
      recordEvents(
        tx,
        events.map(event => ({ tenantId, paymentId, event, cause: 'callback' })),
        now,
      ),
    )
  const received = (payment: Payment, receipt: string, amountPaid: bigint) =>
    moneyReceivedEvent(payment, { amountPaid, paidAt: now, reference: payment.paymentCode, receipt })
  const moneyOf = async (receipt: string): Promise<string> =>
    (await db.raw('select id from unexpected_money where payment_id = ? and receipt = ?', [paid.id, receipt]))
      .rows[0].id

  await record(paid, received(paid, 'a', 100n))
  await record(paid, received(paid, 'b', 60n))
  await record(paid, received(paid, 'c', 40n))
  const decidedMoneyId = await moneyOf('c')
  await record(paid, { type: 'paid_again', amount: 40n, unexpectedMoneyId: decidedMoneyId })
  await db.raw(
    "update unexpected_money set status = 'accepted', credited = true, decided_at = now() where id = ?",
    [decidedMoneyId],
  )
  await record(reversed, received(reversed, 'd', 100n))
  await record(reversed, { type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() })
  const formula = { percent_bps: 0, fixed: 5, min: null, max: null, tax_bps: 0 }
  const feeTerms = { operator: { version: 1, refund_fees: false, ...formula }, partner: null }
  const charged = await insertPendingPayment(db, { tenantId, amount: 100n, feeTerms })
  await record(charged, received(charged, 'e', 100n))
  const move = { tenantId, mode: 'live', paymentId: null, unexpectedMoneyId: null } as const
  const why = { referenceId: 'r', reason: 'a fee of November' }
  await db.transaction(tx =>
    postTransfers(
      tx,
      [
        { ...move, ...why, ...transfer('merchant', 'fee:operator', 10n) },
        { ...move, ...why, ...transfer('fee:operator', 'adjustment', 3n) },
      ],
      now,
    ),
  )
  const of = { tenantId, paymentId: paid.id }
  const pendingRefund = makeRefund({ ...of, amount: 30n, requestedAt: now })
  const refused = makeRefund({ ...of, amount: 5n, number: 2 })
  await db.transaction(async tx => {
    const { payments, balances } = await lockPaymentsWithBalances(tx, [of])
    const batch = newBatch(payments, now, balances)
    recordRefund(batch, undefined, pendingRefund, 'merchant')
    recordRefund(batch, undefined, refused, 'merchant')
    await writeBatch(tx, batch)
  })
  await db.transaction(tx =>
    recordRefundEvent(
      tx,
      refused,
      { type: 'rejected', reason: 'not settled' },
      { cause: 'merchant', at: now },
    ),
  )
  await record(paid, received(paid, 'f', 20n))
  const refundedMoneyId = await moneyOf('f')
  const ofOperator = makeRefund({
    ...of,
    ...{
      amount: 20n,
      number: 3,
      reference: `${paid.paymentCode}-R3`,
      origin: 'operator',
      source: 'uncredited',
    },
    ...{ method: 'manual', bankAccount: { bank: 'BCA', number: '1', holder_name: 'Budi' } },
    ...{ refundedMoneyId, idempotencyKey: null, fingerprint: null },
  })
  await db.transaction(async tx => {
    await tx.raw("update unexpected_money set status = 'refunded', decided_at = now() where id = ?", [
      refundedMoneyId,
    ])
    await recordOperatorRefund(tx, ofOperator, now)
  })
  const chargeback = newRecord(
    {
      ...{ ...paymentFields(paid), kind: 'chargeback', reference: paid.paymentCode, receipt: 'cb-1' },
      ...{ amount: 1_000n, credited: false, returnStatus: 'pending', paidAt: now },
    },
    now,
  )
  await insertUnexpectedMoney(db, [chargeback])
  await sealLedger({ db, log: createLog('silent') })
  return {
    tenantId,
    paidId: paid.id,
    pendingId: waiting.id,
    reversedId: reversed.id,
    chargedId: charged.id,
    openMoneyId: await moneyOf('b'),
    decidedMoneyId,
    refundId: pendingRefund.id,
    failedRefundId: refused.id,
    refundedMoneyId,
    operatorRefundId: ofOperator.id,
    chargebackMoneyId: chargeback.id,
  }
}

/**
 * Runs the SQL in a transaction and rolls it back. If a constraint is violated, even a deferred one, the promise is
 * rejected with the database's error.
 */
async function attempt(sql: string, before: (tx: Tx) => Promise<unknown>): Promise<number> {
  const tx = await superuser.transaction()
  try {
    await before(tx)
    const { rowCount } = await tx.raw(sql, target)
    await tx.raw('set constraints all immediate')
    return rowCount
  } finally {
    await tx.rollback()
  }
}

/**
 * Removes a trigger, constraint or unique index. The parameter `tableAndName` identifies it in the form
 * `table.name`.
 */
async function remove(tx: Tx, tableAndName: string): Promise<void> {
  const [table = '', guard = ''] = tableAndName.split('.')
  const { rows } = await tx.raw<{ rows: [{ kind: string | null }] }>(
    `select case
       when exists (select from pg_trigger where tgrelid = :table::regclass and tgname = :guard) then 'trigger'
       when exists (select from pg_constraint where conrelid = :table::regclass and conname = :guard) then 'constraint'
       when exists (select from pg_index where indrelid = :table::regclass and indexrelid = to_regclass(:guard)) then 'index'
     end as kind`,
    { table, guard },
  )
  const statement = {
    trigger: `alter table ${table} disable trigger ${guard}`,
    constraint: `alter table ${table} drop constraint ${guard} cascade`,
    index: `drop index ${guard}`,
  }[rows[0].kind ?? '']
  if (!statement) throw new Error(`${table} has no guard called ${guard}`)
  await tx.raw(statement)
}

/**
 * The statements that install the triggers that run once per statement, for one PostgreSQL server and for a Citus
 * cluster. The first list is empty, because the migrations install the triggers for one server.
 */
const forms: [form: string, statements: readonly string[]][] = [
  ['one PostgreSQL', []],
  ['a Citus cluster', distributedTriggers],
]

describe.each(forms)(
  "with the triggers for %s, the database rejects every SQL statement that would break one of the service's invariants",
  (_, form) => {
    const install = async (tx: Tx) => {
      for (const statement of form) await tx.raw(statement)
    }

    describe.each(attacks)(
      'the database protects the invariant [$invariant] against the attack: $title',
      ({ guards, sql }) => {
        test('the SQL statement, which attacks an invariant, violates a constraint, so the database rejects it', async () => {
          // An SQLSTATE that starts with 23 means that the statement violates a constraint.
          await expect(attempt(sql, install)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
        })

        test(`without ${guards.join(' and ')}, the database accepts the attack, which proves that nothing else prevents it`, async () => {
          const unguarded = attempt(sql, async tx => {
            await install(tx)
            for (const guard of guards) await remove(tx, guard)
          })
          await expect(unguarded).resolves.not.toBe(0)
        })
      },
    )
  },
)
