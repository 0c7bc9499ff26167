// Tests that a payer's personal data is erased on request, and automatically after a configured time.

import { beforeAll, expect, test } from 'vitest'
import { eraseOldCustomers } from '../../src/retention/erase-customers.ts'
import { defaultRetention } from '../../src/retention/retention.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { insertPendingPayment } from '../support/make.ts'
import { type Managers, managersOf, refusal } from '../support/management-api.ts'

let { app, demo }: TestApp = {} as TestApp
let as: Managers
beforeAll(async () => {
  ;({ app, demo } = await testApp({ worker: false }))
  as = await managersOf(demo)
})

const payer = {
  customerName: 'Siti Rahma',
  customerEmail: 'Siti@example.com',
  customerPhone: '0812-3456-7890',
}
const noPayer = 'pass exactly one of payment_id, customer_email and customer_phone'
const pay = (more: object = {}) =>
  insertPendingPayment(app.db, { tenantId: demo.client.tenant_id, ...payer, ...more })
const erase = (body: object) => as.client('POST', '/v1/account/erase-customer', body)
const stored = async (id: string) => {
  const { rows } = await app.db.raw(
    `select customer_name as name, customer_email as email, customer_phone as phone, customer_ip as ip, amount, status,
            fingerprint, (select words::text from payment_search s where s.payment_id = p.id) as words
     from payments p where id = ?`,
    [id],
  )
  return rows[0]
}

test("erasing a payer's data removes it from the payment and from search, but keeps the amount, status, and fingerprint", async () => {
  const { id } = await pay()
  const before = await stored(id)
  expect((await erase({ payment_id: id })).data).toEqual({ erased: 1 })
  const { words, ...after } = await stored(id)
  expect(after).toEqual({ ...after, name: '', email: '', phone: '', ip: null })
  expect([after.amount, after.status, after.fingerprint]).toEqual([
    before.amount,
    before.status,
    before.fingerprint,
  ])
  expect(words).not.toMatch(/siti|rahma|628123/)
  expect((await as.client('GET', `/v1/payments/${id}`)).data).toMatchObject({
    customer_name: '',
    customer_email: '',
  })
  expect((await erase({ payment_id: id })).data).toEqual({ erased: 0 })
})

test.each([
  ['email address', { customer_email: 'siti.unik@example.com' }],
  ['phone number', { customer_phone: '+62 899 1111 2222' }],
])(
  "if the payer to erase is identified by the %s, the personal data is erased in all of the tenant's payments with the same value, and in no others",
  async (_, body) => {
    const same = { customerEmail: 'Siti.Unik@Example.com', customerPhone: '089911112222' }
    const payments = [await pay(same), await pay(same)]
    const other = await pay({ customerEmail: 'siti.unik@example.com.au', customerPhone: '0899111122223' })
    const foreign = await pay({ ...same, tenantId: demo.client2.tenant_id })
    expect((await erase(body)).data).toEqual({ erased: 2 })
    for (const { id } of payments) expect((await stored(id)).email).toBe('')
    for (const { id } of [other, foreign]) expect((await stored(id)).name).toBe(payer.customerName)
  },
)

test("the payer to erase can be identified by the payment's code or ID, in upper or lower case", async () => {
  for (const name of ['payment_code', 'id'] as const)
    for (const change of ['toUpperCase', 'toLowerCase'] as const) {
      const payment = await as.client('GET', `/v1/payments/${(await pay()).id}`)
      expect((await erase({ payment_id: payment.data[name][change]() })).data).toEqual({ erased: 1 })
      expect((await stored(payment.data.id)).name).toBe('')
    }
})

test('the audit log records the erasure of a payer’s data, but not the erased data', async () => {
  const { id } = await pay()
  await erase({ payment_id: id })
  const { data } = await as.client('GET', '/v1/audit-log?action=customer.erase')
  expect(data.items[0]).toMatchObject({ subject_id: id, after: { by: 'payment', payments: 1 } })
  expect(JSON.stringify(data.items)).not.toMatch(/siti|3456-?7890/i)
})

test('a request to erase payer data is rejected unless it identifies exactly one payer of the tenant', async () => {
  for (const body of [{}, { customer_email: 'a@b.id', customer_phone: '081234567890' }])
    expect(refusal(await erase(body))).toEqual([400, 'BAD_REQUEST', expect.stringContaining(noPayer)])
  const foreign = await pay({ tenantId: demo.client2.tenant_id })
  for (const payment_id of [foreign.id, foreign.paymentCode])
    expect((await erase({ payment_id })).status).toBe(404)
  expect((await stored(foreign.id)).name).toBe(payer.customerName)
})

const noPhone = 'customer_phone: must be a phone number with at least 7 digits, such as 081234567890'
test.each([
  ['customer_phone', 'Siti', noPhone],
  ['customer_phone', '0', noPhone],
  ['customer_phone', '+62', noPhone],
  ['customer_phone', ' ', noPayer],
  ['customer_email', 'Siti', 'customer_email: must be an email address'],
  ['customer_email', ' ', noPayer],
])(
  'a request to erase payer data by the %s "%s" is rejected and changes no payment',
  async (field, value, message) => {
    const named = { customerName: 'Siti', customerEmail: '' }
    const payments = [
      await pay({ ...named, customerPhone: '' }),
      await pay({ ...named, customerPhone: '' }),
      await pay({ ...named, customerPhone: '0' }),
    ]
    const storedAll = () => Promise.all(payments.map(({ id }) => stored(id)))
    const before = await storedAll()
    expect(refusal(await erase({ [field]: value }))).toEqual([
      400,
      'BAD_REQUEST',
      expect.stringContaining(message),
    ])
    expect(await storedAll()).toEqual(before)
  },
)

test("the database rejects every change to a payer's data except the erasure of the data", async () => {
  const { id } = await pay()
  await asOwner(app.db, async owner => {
    for (const change of [
      `customer_name = 'Other'`,
      `customer_name = '', customer_email = '', customer_phone = ''`,
      `customer_name = 'Other', customer_email = '', customer_phone = '', customer_erased_at = now()`,
      `customer_erased_at = now(), expiry_minutes = 5, customer_name = '', customer_email = '', customer_phone = ''`,
    ])
      await expect(owner.raw(`update payments set ${change} where id = ?`, [id])).rejects.toMatchObject({
        code: '23001',
      })
  })
})

test('a payer’s data is erased automatically once the configured time has passed', async () => {
  const day = 86_400_000
  const old = await pay({ createdAt: new Date(Date.now() - 400 * day), id: oldId(400) })
  const recent = await pay()
  const retention = { ...defaultRetention, customerDays: 365 }
  await eraseOldCustomers({ ...app, retention }, new AbortController().signal)
  expect((await stored(old.id)).name).toBe('')
  expect((await stored(recent.id)).name).toBe(payer.customerName)
})

/**
 * Returns the id of a payment that was created the given number of days ago. The id is made from this time,
 * because ids contain their creation time.
 */
function oldId(days: number): string {
  const hex = (Date.now() - days * 86_400_000).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(days).padStart(12, '0')}`
}
