// Tests that the hourly job erases the payer's data in old payments, and keeps it in all other payments.

import { expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { makePayment, makeTenant } from '../../test/support/make.ts'
import { createLog } from '../logging/log.ts'
import { insertPaymentInBatch } from '../payments/payment.sql.ts'
import { internalStatuses, type Payment, type Status } from '../payments/payment.ts'
import { firstIdAt } from '../values/id.ts'
import { eraseOldCustomers } from './erase-customers.ts'
import { defaultRetention, subtractDays } from './retention.ts'

const { db } = await testDatabase()
const app = {
  ...{ db, clock: () => new Date(), log: createLog('silent') },
  retention: { ...defaultRetention, customerDays: 90 },
}
const run = () => eraseOldCustomers(app, new AbortController().signal)

async function insert(tenantId: string, ageDays: number, status: Status): Promise<Payment> {
  const createdAt = subtractDays(new Date(), ageDays)
  const payment = makePayment({
    ...{ tenantId, id: firstIdAt(createdAt), createdAt, status, transitionCount: 0 },
    ...{ methodData: null, providerPaymentId: null, customerIp: '198.51.100.4' },
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
async function stored({ id }: Payment) {
  const { rows } = await db.raw(
    `select status, array[customer_name, customer_email, customer_phone, coalesce(customer_ip, '')] as data
     from payments where id = ?`,
    [id],
  )
  return rows[0]
}
const nothing = ['', '', '', '']
const auditsOf = async (tenantId: string) =>
  (await db.raw('select after from audit_log where tenant_id = ? order by id', [tenantId])).rows

test.each(internalStatuses)(
  'after the retention period, the payer’s data of a payment with the internal status %s is erased, but a recent payment keeps its data',
  async status => {
    const tenantId = await makeTenant(db)
    const [old, recent] = [await insert(tenantId, 91, status), await insert(tenantId, 89, status)]
    await run()
    expect(await stored(old)).toEqual({ status, data: nothing })
    expect(await stored(recent)).toMatchObject({ data: expect.arrayContaining(['Budi Santoso']) })
    expect(await auditsOf(tenantId)).toEqual([{ after: { by: 'age', payments: 1 } }])
  },
)

test('after an upgrade, the service erases the payer’s data that an earlier release left in old payments', async () => {
  const tenantId = await makeTenant(db)
  const skipped = await insert(tenantId, 120, 'rejected')
  const last = await insert(tenantId, 100, 'rejected')
  await asOwner(db, owner =>
    owner.raw('insert into customer_erasures (tenant_id, erased_to) values (?, ?)', [tenantId, last.id]),
  )
  await run()
  expect(await stored(skipped)).toMatchObject({ data: nothing })
})

test('erasing already erased payer data again writes no further audit log entry', async () => {
  const tenantId = await makeTenant(db)
  await insert(tenantId, 100, 'rejected')
  await run()
  const { rows } = await db.raw(
    'select erased_to, all_erased_to from customer_erasures where tenant_id = ?',
    [tenantId],
  )
  await asOwner(db, owner =>
    owner.raw('update customer_erasures set all_erased_to = null where tenant_id = ?', [tenantId]),
  )
  await run()
  expect(
    (await db.raw('select erased_to, all_erased_to from customer_erasures where tenant_id = ?', [tenantId]))
      .rows,
  ).toEqual(rows)
  expect(await auditsOf(tenantId)).toHaveLength(1)
})
