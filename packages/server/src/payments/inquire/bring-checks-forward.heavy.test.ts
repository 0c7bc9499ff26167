import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant } from '../../../test/support/make.ts'
import { rowsReadBy } from '../../../test/support/rows-read.ts'
import type { Db } from '../../db/db.ts'
import { bringChecksForward } from './next-check.sql.ts'

const PENDING = 20_000
const INSERTED_TOGETHER = 1_000
const CHECKS = 250

test('bringing status inquiries forward reads only the requested payments, even with misleading PostgreSQL statistics', async () => {
  const { db } = await testDatabase()
  const tenantId = await makeTenant(db)
  const { id } = await insertPendingPayment(db, { tenantId })
  await db.raw('update payments set next_check_at = null')
  await db.raw('analyze payments')
  // Several statements insert the payments, because a single one may exceed the statement timeout on a busy machine.
  for (let from = 0; from < PENDING; from += INSERTED_TOGETHER)
    await db.raw(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object(
         'id', gen_random_uuid(), 'payment_code', 'GP260101-' || lpad(n::text, 10, '0'), 'idempotency_key', 'copy-' || n,
         'next_check_at', :at::timestamptz
       ))).* from payments p, generate_series(:from::int + 1, :from::int + ${INSERTED_TOGETHER}) n where p.id = :id`,
      { id, at: later(3_600_000), from },
    )
  const requested = await db.raw(`select id from payments where next_check_at is not null limit ${CHECKS}`)
  const checks = requested.rows.map((row: { id: string }) => ({
    tenantId,
    paymentId: row.id,
    isPolled: false,
  }))
  const read = await db.transaction(tx =>
    rowsReadBy(tx, ['payments'], () => bringChecksForward(tx as Db, checks, later(60_000))),
  )
  // Two reads per payment are expected: one to lock it and one to change it. The limit of three leaves a
  // margin.
  expect(read).toBeLessThanOrEqual(3 * CHECKS)
  const { rows } = await db.raw('select count(*)::int as count from payments where next_check_at = ?', [
    later(60_000),
  ])
  expect(rows).toEqual([{ count: CHECKS }])
})
