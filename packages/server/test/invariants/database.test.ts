// Attacks each guard in docs/invariants.md with SQL as a superuser, who has more rights than the service. The attack
// must fail, and must succeed once the listed guards are removed.

import { afterAll, describe, expect, inject, test } from 'vitest'
import { createDb, type Tx } from '../../src/db/db.ts'
import { sealLedger } from '../../src/ledger/seal-ledger.ts'
import { createLog } from '../../src/logging/log.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { newId } from '../../src/values/id.ts'
import { testDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/database-url.ts'
import { insertPendingPayment, makeTenant, now } from '../support/make.ts'
import { attacks, type Target } from './attacks.ts'

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
  await sealLedger({ db, log: createLog('silent') })
  return {
    tenantId,
    paidId: paid.id,
    pendingId: waiting.id,
    reversedId: reversed.id,
    openMoneyId: await moneyOf('b'),
    decidedMoneyId,
  }
}

/** Runs the SQL and rolls it back. Rejects with the database's error, including those of deferred constraints. */
async function attempt(sql: string, before: (tx: Tx) => Promise<unknown> = async () => {}): Promise<number> {
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

/** Removes a guard, given as `table.name`; looks up whether it is a trigger, a constraint or a unique index. */
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

describe.each(attacks)('the attack [$invariant] $title', ({ guards, sql }) => {
  test('is rejected by the database', async () => {
    // SQLSTATE class 23: integrity constraint violation.
    await expect(attempt(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
  })

  test(`is rejected only by ${guards.join(' and ')}`, async () => {
    const unguarded = attempt(sql, async tx => {
      for (const guard of guards) await remove(tx, guard)
    })
    await expect(unguarded).resolves.not.toBe(0)
  })
})
