import { expect, test } from 'vitest'
import { envOf, runCommand } from '../../test/support/command.ts'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../test/support/make.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { firstIdAt } from '../values/id.ts'
import { recheckPayments } from './recheck-payments.ts'

const HOUR_MS = 3_600_000
const database = await testDatabase()
const { db } = database
const fromNow = (ms: number): Date => new Date(Date.now() + ms)

async function make(
  event: PaymentEvent | undefined,
  expiresInMs: number,
  nextCheckAt?: Date | null,
  overrides: Partial<Payment> = {},
): Promise<Payment> {
  const { tenantId = await makeTenant(db) } = overrides
  const payment = await insertPendingPayment(db, {
    ...overrides,
    tenantId,
    expiresAt: fromNow(expiresInMs),
  })
  const { id: paymentId } = payment
  if (event)
    await db.transaction(tx =>
      recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], new Date()),
    )
  if (nextCheckAt !== undefined)
    await db.raw('update payments set next_check_at = ? where id = ?', [nextCheckAt, paymentId])
  return payment
}
async function isDue({ tenantId, id }: Payment): Promise<boolean> {
  const kept = await findPaymentInBatch(db, tenantId, id, null)
  const at = kept?.nextCheckAt ?? null
  return at !== null && at.getTime() <= Date.now() + 1_000
}

test('recheck-payments schedules status inquiries only for payments that may have been paid without a record in the database', async () => {
  const made = {
    open: await make(undefined, HOUR_MS),
    expired: await make({ type: 'expired' }, -HOUR_MS, null),
    // This payment is skipped, because its last status inquiry is still scheduled and a new inquiry would
    // replace it.
    cancelled: await make({ type: 'cancelled' }, HOUR_MS),
    // This payment's charge was repeated 39 days after the payment was created. The payment's expiry started again at
    // that time, so the command must still schedule an inquiry.
    repeated: await make({ type: 'expired' }, -HOUR_MS, null, { id: firstIdAt(fromNow(-40 * 24 * HOUR_MS)) }),
    long: await make({ type: 'expired' }, -73 * HOUR_MS, null),
    // After the restore of an old backup, a payment ends long after its expiry time.
    endedLate: await make({ type: 'expired' }, -80 * HOUR_MS, null),
    challenged: await make({ type: 'challenged', reason: 'under review' }, HOUR_MS),
    // The fraud review of this payment took longer than 30 days. After this time, the service schedules no inquiries
    // itself, so only the command `recheck-payments` does.
    longChallenged: await make({ type: 'challenged', reason: 'under review' }, -HOUR_MS, null),
  }
  await db.raw("update payments set updated_at = now() - interval '73 hours' where id = ?", [made.long.id])
  const { code, stdout, stderr } = await runCommand(['recheck-payments'], envOf(database))
  expect([code, stdout], stderr).toEqual([0, 'Payments scheduled for a status inquiry now: 6\n'])
  const due = await Promise.all(
    Object.entries(made).map(async ([name, payment]) => [name, await isDue(payment)] as const),
  )
  expect(Object.fromEntries(due)).toEqual({
    open: true,
    expired: true,
    repeated: true,
    cancelled: false,
    long: false,
    endedLate: true,
    challenged: true,
    longChallenged: true,
  })
  const { rows } = await db.raw(`select after from audit_log where action = 'payments.recheck'`)
  expect(rows).toEqual([{ after: { payments: 6 } }])
})

test('recheck-payments changes nothing when run a second time', async () => {
  const { stdout } = await runCommand(['recheck-payments'], envOf(database))
  expect(stdout).toBe('Payments scheduled for a status inquiry now: 0\n')
})

test('recheck-payments commits each page of payments separately, skips no payment between pages, and reports its progress', async () => {
  const tenantId = await makeTenant(db)
  for (const methodType of ['virtual_account', 'qris', 'e_wallet', 'qris', 'over_the_counter'] as const)
    await make(undefined, HOUR_MS, undefined, { tenantId, methodType })
  for (let n = 0; n < 5; n++) await make({ type: 'expired' }, -HOUR_MS, null, { tenantId })
  const lines: string[] = []
  const app = { db, progress: (line: string) => void lines.push(line) }
  expect(await recheckPayments(app, { page: 2, progress: 10 })).toBe(10)
  expect(lines[0]).toMatch(/^1[01] payments checked, \d+ scheduled for a status inquiry$/)
  const { rows } = await db.raw(
    `select count(distinct xmin::text)::integer as transactions from payments where tenant_id = ? and next_check_at <= now()`,
    [tenantId],
  )
  expect(rows[0].transactions).toBeGreaterThanOrEqual(5)
})

test('recheck-payments does not wait for a payment that another transaction has locked', async () => {
  const tenantId = await makeTenant(db)
  const locked = await make(undefined, HOUR_MS, undefined, { tenantId })
  await make(undefined, HOUR_MS, undefined, { tenantId })
  await db.transaction(async tx => {
    await tx.raw('select from payments where tenant_id = ? and id = ? for update', [tenantId, locked.id])
    expect(await recheckPayments({ db, progress: () => {} })).toBe(1)
  })
})
