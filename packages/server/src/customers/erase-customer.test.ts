// Tests which payments are affected if a payer's data is erased by email address or phone number.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { newId } from '../values/id.ts'
import { eraseCustomer, type Payer } from './erase-customer.ts'

const { db } = await testDatabase()
const app = { db, clock: () => now }

const payerData = { customerEmail: 'siti@example.com', customerPhone: '089911112222' }
// An email address and a phone number that begin with the payer's values but are longer. A search for the payer also
// finds payments with these longer values.
const similarData = { customerEmail: 'siti@example.com.au', customerPhone: '0899111122223' }

async function payments(tenantId: string, data: object, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await insertPendingPayment(db, { tenantId, ...data })).id)
  return ids
}
const erase = (tenantId: string, payer: Payer, paymentsAtOnce?: number) =>
  eraseCustomer(app, { tenantId, userId: newId() }, payer, paymentsAtOnce)
async function emailsOf(ids: string[]): Promise<string[]> {
  const { rows } = await db.raw('select customer_email as email from payments where id = any(?)', [ids])
  return rows.map(({ email }: { email: string }) => email)
}
async function auditedCounts(tenantId: string): Promise<unknown[]> {
  const { rows } = await db.raw('select after from audit_log where tenant_id = ? order by at, id', [tenantId])
  return rows.map(({ after }: { after: { payments: number } }) => after.payments)
}

test.each([
  ['email address', { email: payerData.customerEmail }],
  ['phone number', { phone: payerData.customerPhone }],
])(
  "erasing a payer's data by %s also reaches the payer's oldest payments, even if newer payments of other payers have similar data",
  async (_, payer) => {
    const tenantId = await makeTenant(db)
    const own = await payments(tenantId, payerData, 3)
    const similar = await payments(tenantId, similarData, 5)
    own.push(...(await payments(tenantId, payerData, 1)))
    expect(await erase(tenantId, payer, 2)).toBe(4)
    expect(await emailsOf(own)).toEqual(['', '', '', ''])
    expect(new Set(await emailsOf(similar))).toEqual(new Set([similarData.customerEmail]))
  },
)

test('if a payer’s data is erased in several transactions, each adds an audit log entry', async () => {
  const tenantId = await makeTenant(db)
  await payments(tenantId, payerData, 3)
  await payments(tenantId, similarData, 2)
  expect(await erase(tenantId, { email: payerData.customerEmail }, 2)).toBe(3)
  expect(await auditedCounts(tenantId)).toEqual([2, 1])
})

test('the audit log records a request to erase a payer even if no payment matches', async () => {
  const tenantId = await makeTenant(db)
  expect(await erase(tenantId, { email: payerData.customerEmail })).toBe(0)
  expect(await auditedCounts(tenantId)).toEqual([0])
})

test('erasing a payer by a phone number without digits changes no payments', async () => {
  const tenantId = await makeTenant(db)
  const nameOnly = { customerName: 'Siti', customerEmail: 'siti@example.com', customerPhone: '' }
  const ids = await payments(tenantId, nameOnly, 2)
  expect(await erase(tenantId, { phone: 'Siti' })).toBe(0)
  expect(await emailsOf(ids)).toEqual(['siti@example.com', 'siti@example.com'])
})

test('erasing a payer by phone number also reaches payments whose phone number contains no-break spaces', async () => {
  const tenantId = await makeTenant(db)
  const ids = await payments(tenantId, { ...payerData, customerPhone: '0899\u00a01111\u00a02222' }, 1)
  expect(await erase(tenantId, { phone: payerData.customerPhone })).toBe(1)
  expect(await emailsOf(ids)).toEqual([''])
})
