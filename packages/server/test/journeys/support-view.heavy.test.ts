// Tests the support view, in which the Owner (the operator's tenant) and Partners read merchants' payments. The
// audit log records each payment that they open.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import {
  type Call,
  callsAs,
  type Managers,
  managersOf,
  newTenant,
  refusal,
} from '../support/management-api.ts'
import { logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let as: Managers
let payments: string
let paid: { id: string; payment_code: string }
let refunded: { id: string; payment_code: string }

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  as = await managersOf(demo)
  payments = `/v1/tenants/${demo.client.tenant_id}/payments`
  const hook = await receiver(demo)
  const shop = merchantOf(demo)
  const paidPayment = async () => {
    const created = (await shop.create()).data
    await simulate(demo, created, 'paid')
    await until('the webhook arrives', () => hook.of(created)[0])
    return created
  }
  paid = await paidPayment()
  refunded = await paidPayment()
  const bankAccount = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
  await shop.call('POST', `/v1/payments/${refunded.id}/refunds`, {
    headers: { 'x-idempotency-key': 'refund-1001' },
    body: { amount: 500_000, bank_account: bankAccount },
  })
})

const opened = async (reader: Call, payment = paid) =>
  (await reader('GET', `/v1/audit-log?action=payment.open&limit=100`)).data.items.filter(
    ({ subject_id }: { subject_id: string }) => subject_id === payment.id,
  )

test("the Owner and the Partner can read a merchant's payment with its timeline, attempts, callbacks, and deliveries", async () => {
  for (const reader of [as.owner, as.partner]) {
    const { data } = await reader('GET', `${payments}/${paid.id}`)
    expect(data).toMatchObject({ id: paid.id, tenant_id: demo.client.tenant_id, status: 'paid' })
    const part = async (name: string) => (await reader('GET', `${payments}/${paid.id}/${name}`)).data
    expect((await part('timeline')).map(({ to }: { to: string }) => to)).toEqual(['pending', 'paid'])
    expect(await part('attempts')).toMatchObject([{ number: 1, outcome: 'accepted' }])
    const callbacks = await part('callbacks')
    expect(callbacks.at(-1)).toMatchObject({ status: 'applied' })
    expect(Object.keys(callbacks[0])).not.toContain('body')
    expect((await part('deliveries')).items).toMatchObject([{ type: 'payment.paid', payment_id: paid.id }])
  }
})

test('the audit log records that the Owner or the Partner listed the refunds of a payment', async () => {
  expect(await opened(as.client, refunded)).toEqual([])
  for (const reader of [as.owner, as.partner]) {
    expect((await reader('GET', `${payments}/${refunded.payment_code}/refunds`)).data).toMatchObject([
      { payment_id: refunded.id, tenant_id: demo.client.tenant_id, amount: 500_000, status: 'pending' },
    ])
    expect((await reader('GET', `${payments}/${paid.id}/refunds`)).data).toEqual([])
  }
  expect(await opened(as.client, refunded)).toHaveLength(2)
})

test("in the support view, a merchant's payment can be found by its code", async () => {
  const { data } = await as.partner('GET', `${payments}?mode=test&q=${paid.payment_code}`)
  expect(data.items.map(({ id }: { id: string }) => id)).toEqual([paid.id])
  expect((await as.owner('GET', `${payments}/${paid.payment_code.toLowerCase()}`)).data.id).toBe(paid.id)
})

test('if the operator or a Partner opens a payment, the merchant can read the audit log entry about it', async () => {
  const { rows } = await app.db.raw(
    `select actor_tenant_id as actor, after from audit_log where action = 'payment.open' and subject_id = ?`,
    [paid.id],
  )
  // The payment's page in the dashboard sends several requests at once, but the audit log has only one entry
  // for each user.
  expect(rows.map(({ actor }: { actor: string }) => actor).sort()).toEqual(
    [demo.owner.tenant_id, demo.partner.tenant_id].sort(),
  )
  expect(rows[0].after).toEqual({ payment_code: paid.payment_code })
  expect(await opened(as.client)).toHaveLength(2)
})

const lists = async (reader: Call) =>
  (await reader('GET', `/v1/audit-log?action=payment.list&limit=100`)).data.items

test("listing another tenant's payments adds an audit log entry that the listed tenant can also read", async () => {
  const filters = 'mode=test&status=paid&amount=123400&channel=BCA&from=2026-11-01'
  // A page in the dashboard sends several equal requests: for the payments, for further pages, and for their count.
  // Together, they must add only one audit log entry per user.
  for (const rest of ['', '&limit=5', '&limit=1&count=true']) {
    expect((await as.owner('GET', `${payments}?${filters}${rest}`)).status).toBe(200)
    expect((await as.partner('GET', `${payments}?${filters}${rest}`)).status).toBe(200)
  }
  const entries = (await lists(as.client)).filter(({ after }: { after: object }) => 'amount' in after)
  expect(entries).toHaveLength(2)
  expect(entries.map(({ actor_tenant_id }: { actor_tenant_id: string }) => actor_tenant_id).sort()).toEqual(
    [demo.owner.tenant_id, demo.partner.tenant_id].sort(),
  )
  expect(entries[0]).toMatchObject({ tenant_id: demo.client.tenant_id, subject_id: null, before: null })
  expect(entries[0].after).toEqual({
    ...{ mode: 'test', status: 'paid', amount: 123_400, channel: 'bca', from: '2026-11-01' },
  })
})

test('the audit log records the payment code or ID of a search, but no other search text', async () => {
  const search = async (q: string) => {
    await as.owner('GET', `${payments}?mode=all&q=${encodeURIComponent(q)}`)
    return (await lists(as.owner))[0].after
  }
  const { payment_code, id } = refunded
  const searched = { mode: 'all', searched: true }
  expect(await search(` Budi, (${payment_code.toLowerCase()})`)).toEqual({ ...searched, payment_code })
  expect(await search(id)).toEqual({ ...searched, payment_id: id })
  expect(await search('budi@example.com')).toEqual(searched)
  expect(await search('0812 3456 7890')).toEqual(searched)
  expect(JSON.stringify(await lists(as.owner))).not.toMatch(/budi|3456.?7890/i)
})

/**
 * Creates a separate user for one test and returns this user's calls. Reads by the same user can share an
 * audit log entry, so the tests must not share a user.
 */
async function colleagueOf(role: 'owner' | 'partner'): Promise<Call> {
  const user = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  await createUser(app, null, demo[role].tenant_id, user)
  return callsAs(demo, await logIn(demo, user))
}
const entriesOf = async (action: string) =>
  (await as.client('GET', `/v1/audit-log?action=${action}&limit=100`)).data.items

test("reading a payment's refunds by the payment's ID adds an entry to the Client's audit log", async () => {
  for (const role of ['owner', 'partner'] as const) {
    const reader = await colleagueOf(role)
    const before = await opened(as.client, refunded)
    for (const _ of [1, 2])
      expect((await reader('GET', `/v1/payments/${refunded.id}/refunds`)).data).toHaveLength(1)
    const [entry, ...earlier] = await opened(as.client, refunded)
    expect(earlier).toEqual(before)
    expect(entry).toMatchObject({
      actor_tenant_id: demo[role].tenant_id,
      tenant_id: demo.client.tenant_id,
      after: { payment_code: refunded.payment_code },
    })
  }
})

test("another Partner cannot list the refunds of a Client's payment by its payment code", async () => {
  const path = `/v1/payments/${refunded.payment_code}/refunds`
  for (const reader of [as.owner, as.partner])
    expect((await reader('GET', path)).data).toMatchObject([{ payment_id: refunded.id, amount: 500_000 }])
  const other = await newTenant(app, demo, 'partner')
  expect((await other.call('GET', path)).status).toBe(404)
})

test("reading a Client's refund by its ID adds an audit log entry about the refund's payment", async () => {
  const [refund] = (await as.client('GET', `/v1/payments/${refunded.id}/refunds`)).data
  for (const role of ['owner', 'partner'] as const) {
    const reader = await colleagueOf(role)
    const before = await opened(as.client, refunded)
    expect((await reader('GET', `/v1/refunds/${refund.id}`)).data.id).toBe(refund.id)
    const after = await opened(as.client, refunded)
    expect(after).toHaveLength(before.length + 1)
    expect(after[0]).toMatchObject({ actor_tenant_id: demo[role].tenant_id })
  }
})

test("listing other tenants' refunds adds one audit log entry for each of these tenants", async () => {
  for (const role of ['owner', 'partner'] as const) {
    const reader = await colleagueOf(role)
    const before = await entriesOf('refund.list')
    for (const rest of ['', '&limit=5', '&count=true']) {
      const { items } = (await reader('GET', `/v1/refunds?mode=test&from=2026-01-01${rest}`)).data
      expect(items.map((each: { payment_id: string }) => each.payment_id)).toContain(refunded.id)
    }
    const [entry, ...earlier] = await entriesOf('refund.list')
    expect(earlier).toEqual(before)
    expect(entry).toMatchObject({ actor_tenant_id: demo[role].tenant_id, subject_id: null })
    expect(entry.after).toEqual({ mode: 'test', from: '2026-01-01' })
    // This list is empty.
    await reader('GET', '/v1/refunds?mode=live')
    expect((await entriesOf('refund.list'))[0]).toEqual(entry)
  }
})

test('listing provider callbacks adds one audit log entry for each tenant, with the filters', async () => {
  const reader = await colleagueOf('owner')
  const before = await entriesOf('callback.list')
  for (const rest of ['', '&limit=5', '&count=true']) {
    const { items } = (await reader('GET', `/v1/provider-callbacks?mode=test&status=applied${rest}`)).data
    expect(items.map((each: { payment_id: string }) => each.payment_id)).toContain(paid.id)
  }
  const [entry, ...earlier] = await entriesOf('callback.list')
  expect(earlier).toEqual(before)
  expect(entry).toMatchObject({ actor_tenant_id: demo.owner.tenant_id, subject_id: null })
  expect(entry.after).toEqual({ mode: 'test', status: 'applied' })
  await reader('GET', `/v1/provider-callbacks?payment_id=${paid.payment_code}`)
  expect((await entriesOf('callback.list'))[0].after).toEqual({ mode: 'all', payment_id: paid.id })
})

test("listing a Client's challenged payments adds an entry to the Client's audit log", async () => {
  const shop = merchantOf(demo)
  const challenged = (await shop.create()).data
  await simulate(demo, challenged, 'challenged')
  const reader = await colleagueOf('owner')
  await until('the payment is challenged', async () => {
    const { items } = (await reader('GET', '/v1/challenged-payments?mode=test')).data
    return items.some((each: { payment_id: string }) => each.payment_id === challenged.id)
  })
  const [entry] = await entriesOf('payment.list')
  expect(entry).toMatchObject({ actor_tenant_id: demo.owner.tenant_id, subject_id: null })
  expect(entry.after).toEqual({ mode: 'test', status: 'challenged' })
})

test('if the audit log entry cannot be written, no refund or callback of another tenant is returned', async () => {
  const reader = await colleagueOf('owner')
  await asOwner(app.db, db => db.raw('alter table audit_log rename to audit_log_away'))
  try {
    for (const path of [
      `/v1/payments/${refunded.id}/refunds`,
      '/v1/refunds?mode=test',
      '/v1/provider-callbacks?mode=test',
    ])
      expect((await reader('GET', path)).status).toBe(500)
  } finally {
    await asOwner(app.db, db => db.raw('alter table audit_log_away rename to audit_log'))
  }
  expect((await reader('GET', `/v1/payments/${refunded.id}/refunds`)).status).toBe(200)
})

test("a merchant's own reads of its refunds add no audit log entry", async () => {
  const before = [await opened(as.client, refunded), await entriesOf('refund.list')]
  const [refund] = (await as.client('GET', `/v1/payments/${refunded.id}/refunds`)).data
  await as.client('GET', `/v1/refunds/${refund.id}`)
  await as.client('GET', '/v1/refunds?mode=test')
  expect([await opened(as.client, refunded), await entriesOf('refund.list')]).toEqual(before)
})

test('a rejected list request adds no audit log entry', async () => {
  const before = await lists(as.owner)
  expect((await as.owner('GET', `${payments}?from=2026-11-02&to=2026-11-01`)).status).toBe(400)
  expect(await lists(as.owner)).toEqual(before)
})

test('a Partner cannot read payments of a merchant that is not its Client', async () => {
  const other = await newTenant(app, demo, 'partner')
  expect((await other.call('GET', `${payments}/${paid.id}`)).status).toBe(404)
  expect((await other.call('GET', `${payments}/${refunded.id}/refunds`)).status).toBe(404)
  expect((await other.call('GET', payments)).status).toBe(404)
  expect(await opened(other.call)).toEqual([])
  expect(await lists(other.call)).toEqual([])
})

test('a request for a payment returns 404 if the tenant in the URL path does not own the payment', async () => {
  const path = `/v1/tenants/${demo.client2.tenant_id}/payments`
  for (const id of [paid.id, paid.payment_code])
    for (const rest of ['', '/refunds'])
      expect(refusal(await as.owner('GET', `${path}/${id}${rest}`))).toEqual([
        404,
        'NOT_FOUND',
        `not found: payment ${id} not found`,
      ])
})

test('the Owner can read a Client’s payment only in the support view', async () => {
  expect((await as.client('GET', `${payments}/${paid.id}`)).status).toBe(403)
  expect((await as.client2('GET', `${payments}/${paid.id}`)).status).toBe(403)
  expect((await as.client('GET', `${payments}/${refunded.id}/refunds`)).status).toBe(403)
  expect((await as.owner('GET', `/v1/payments/${paid.id}`)).status).toBe(404)
})

test("a tenant's database role cannot read other tenants' callbacks, or the body of any callback", async () => {
  const asRole = (sql: string) =>
    app.db.transaction(async tx => {
      await tx.raw(`set local gapura.tenants = '{${demo.client2.tenant_id}}'`)
      await tx.raw('set local role gapura_tenant')
      return (await tx.raw(sql)).rows
    })
  expect(await asRole('select id from provider_callbacks')).toEqual([])
  await expect(asRole('select body from provider_callbacks')).rejects.toMatchObject({ code: '42501' })
})
