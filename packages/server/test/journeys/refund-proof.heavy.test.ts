// Tests which of a user's refunds require second-factor confirmation within the last 15 minutes.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import type { Permission } from '../../src/auth/users/permission.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Answer, http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { type Enrolled, secondFactorOf } from '../support/second-factor.ts'

/**
 * The default refund limit. A user needs a recent second-factor confirmation to refund more than Rp 1,000,000. A
 * tenant's admin can change the limit.
 */
const LIMIT = 100_000_000
const FACTOR = '/v1/account/second-factor'

type Tenant = 'client' | 'client2'
type Payment = { id: string }

let service: TestApp
let factor: ReturnType<typeof secondFactorOf>
let stale: Enrolled
beforeAll(async () => {
  service = await testApp()
  factor = secondFactorOf(service)
  stale = await enrolledUser('finance')
  await forgetProof(stale)
})

async function makeUser(permission: Permission, tenant: Tenant = 'client') {
  const { app, demo } = service
  const user = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const tenantId = demo[tenant].tenant_id
  const { id } = await createUser(app, null, tenantId, { ...user, permissions: [permission] })
  return { user: { ...user, id, tenantId }, token: (await logIn(demo, user)).replace('Bearer ', '') }
}

async function enrolledUser(permission: Permission, tenant?: Tenant): Promise<Enrolled> {
  const { user, token } = await makeUser(permission, tenant)
  return factor.enrol(user, token)
}

/** Makes the user's last second-factor confirmation 15 minutes old. The access token stays valid. */
async function forgetProof({ user, accessToken }: Enrolled): Promise<void> {
  await service.app.db.raw(
    `update sessions set proven_at = proven_at - interval '15 minutes' where user_id = ?`,
    [user.id],
  )
  const call = factor.call(accessToken)
  await until(
    'the session needs a new confirmation',
    async () => (await call('POST', `${FACTOR}/totp`)).status === 401,
  )
}

async function confirm(enrolled: Enrolled): Promise<void> {
  const code = { code: factor.nextCode(enrolled) }
  expect((await factor.call(enrolled.accessToken)('POST', `${FACTOR}/confirm`, code)).status).toBe(200)
}

/** Creates a paid payment whose amount is three times the refund limit. */
async function paid(tenant: Tenant = 'client'): Promise<Payment> {
  const { demo } = service
  const shop = merchantOf(demo, demo[tenant].test_key)
  const order = { amount: 3 * LIMIT, method_type: 'qris', method_detail: { type: 'qris' } }
  const { data: payment } = await shop.create(order)
  await simulate(demo, payment, 'paid')
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  return payment
}

const refund = (
  token: string,
  payment: Payment,
  amount: number | undefined,
  key: string = randomUUID(),
): Promise<Answer> =>
  http('POST', `${service.demo.base_url}/v1/payments/${payment.id}/refunds`, {
    auth: token.startsWith('ApiKey') ? token : `Bearer ${token}`,
    body: amount === undefined ? {} : { amount },
    headers: { 'x-idempotency-key': key },
  })

/** Returns the amounts that the API and the ledger show for a payment's refunds. */
async function recorded({ id }: Payment): Promise<{ refunds: number[]; debits: number[] }> {
  const shop = merchantOf(service.demo)
  const { data } = await shop.call('GET', `/v1/payments/${id}/refunds`)
  const entries: { entry_type: string; amount: number }[] = (await shop.ledger(id)).data
  return {
    refunds: data.map(({ amount }: { amount: number }) => amount),
    debits: entries.filter(({ entry_type }) => entry_type === 'debit').map(({ amount }) => amount),
  }
}

const nothing = { refunds: [], debits: [] }
const ASKED = [401, 'OTP_REQUIRED']
const outcome = ({ status, error }: Answer) => (status === 200 ? 200 : [status, error.code])

describe('more than 15 minutes after the last second-factor confirmation, a user can make refunds only up to a limit', () => {
  test('without a recently confirmed second factor, a user can make refunds up to the tenant’s limit', async () => {
    const [below, at] = [await paid(), await paid()]
    expect(outcome(await refund(stale.accessToken, below, LIMIT - 100))).toBe(200)
    expect(outcome(await refund(stale.accessToken, at, LIMIT))).toBe(200)
  })

  test('without a recently confirmed second factor, refunding one rupiah more than the limit returns OTP_REQUIRED', async () => {
    const payment = await paid()
    const asked = await refund(stale.accessToken, payment, LIMIT + 100)
    expect(outcome(asked)).toEqual(ASKED)
    expect(asked.error.message).toContain('POST /v1/account/second-factor/confirm')
    expect(asked.error).not.toHaveProperty('challenge')
    expect(await recorded(payment)).toEqual(nothing)
  })

  test('without a recently confirmed second factor, a full refund above the limit returns OTP_REQUIRED', async () => {
    const payment = await paid()
    expect(outcome(await refund(stale.accessToken, payment, undefined))).toEqual(ASKED)
    expect(await recorded(payment)).toEqual(nothing)
  })

  test("a user cannot avoid second-factor confirmation by splitting one payment's refund into several smaller ones", async () => {
    const [payment, other] = [await paid(), await paid()]
    const part = (LIMIT / 10) * 6
    expect(outcome(await refund(stale.accessToken, payment, part))).toBe(200)
    expect(outcome(await refund(stale.accessToken, payment, part))).toEqual(ASKED)
    expect(outcome(await refund(stale.accessToken, payment, LIMIT - part))).toBe(200)
    expect(outcome(await refund(stale.accessToken, payment, 100))).toEqual(ASKED)
    expect((await recorded(payment)).debits).toEqual([part, LIMIT - part])
    expect(outcome(await refund(stale.accessToken, other, part))).toBe(200)
  })

  test('concurrent refunds of one payment cannot together exceed the limit for unconfirmed refunds', async () => {
    const payment = await paid()
    const part = (LIMIT / 10) * 6
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refund(stale.accessToken, payment, part)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ error }) => error?.code === 'OTP_REQUIRED')).toHaveLength(4)
    expect((await recorded(payment)).debits).toEqual([part])
  })

  test('refunds made with an API key do not count toward the refund limit for users', async () => {
    const payment = await paid()
    const key = `ApiKey ${service.demo.client.test_key}`
    expect(outcome(await refund(key, payment, LIMIT + 100))).toBe(200)
    expect(outcome(await refund(stale.accessToken, payment, LIMIT))).toBe(200)
    expect(outcome(await refund(stale.accessToken, payment, 100))).toEqual(ASKED)
  })
})

test('after OTP_REQUIRED, a refund request repeated with a confirmed second factor makes one refund', async () => {
  const [enrolled, payment, key] = [await enrolledUser('finance'), await paid(), randomUUID()]
  await forgetProof(enrolled)
  expect(outcome(await refund(enrolled.accessToken, payment, 2 * LIMIT, key))).toEqual(ASKED)
  await confirm(enrolled)
  const made = await refund(enrolled.accessToken, payment, 2 * LIMIT, key)
  expect([made.status, made.data.amount]).toEqual([200, 2 * LIMIT])
  expect(await recorded(payment)).toEqual({ refunds: [2 * LIMIT], debits: [2 * LIMIT] })
})

test('a repeated refund request returns the same refund without new second-factor confirmation', async () => {
  const [enrolled, payment, key] = [await enrolledUser('finance'), await paid(), randomUUID()]
  const { data: made } = await refund(enrolled.accessToken, payment, 2 * LIMIT, key)
  await forgetProof(enrolled)
  const repeated = await refund(enrolled.accessToken, payment, 2 * LIMIT, key)
  expect([repeated.status, repeated.data?.id]).toEqual([200, made.id])
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  expect(outcome(await refund(enrolled.accessToken, payment, 100))).toEqual(ASKED)
})

test('the limit for unconfirmed refunds does not apply to API keys or users without a second factor', async () => {
  const [byUser, byKey] = [await paid(), await paid()]
  const { token } = await makeUser('finance')
  expect(outcome(await refund(token, byUser, undefined))).toBe(200)
  expect(outcome(await refund(`ApiKey ${service.demo.client.test_key}`, byKey, undefined))).toBe(200)
})

describe('an admin can change the tenant’s limit for refunds without a recently confirmed second factor', () => {
  const setSecurity = ({ accessToken }: Enrolled, body: object) =>
    factor.call(accessToken)('PUT', '/v1/account/security', body)

  test('a changed limit for refunds without a recent second factor applies to the next refund', async () => {
    const [admin, user] = [await enrolledUser('admin', 'client2'), await enrolledUser('finance', 'client2')]
    await forgetProof(user)
    const payment = await paid('client2')
    const account = async () => (await factor.call(user.accessToken)('GET', '/v1/account')).data
    expect(await account()).toMatchObject({ refund_proof_above: LIMIT, second_factor_required: false })
    expect((await setSecurity(admin, { refund_proof_above: 0 })).data).toEqual({
      second_factor_required: false,
      refund_proof_above: 0,
    })
    expect(outcome(await refund(user.accessToken, payment, 100))).toEqual(ASKED)
    expect((await setSecurity(admin, { refund_proof_above: 2 * LIMIT })).status).toBe(200)
    expect(outcome(await refund(user.accessToken, payment, 2 * LIMIT))).toBe(200)
    expect(outcome(await refund(user.accessToken, payment, 100))).toEqual(ASKED)
    expect((await setSecurity(admin, {})).data).toMatchObject({ refund_proof_above: 2 * LIMIT })
    expect((await account()).refund_proof_above).toBe(2 * LIMIT)
    const { rows } = await service.app.db.raw(
      `select before, after from audit_log where actor_user_id = ? and action = 'tenant.set_refund_proof' order by id`,
      [admin.user.id],
    )
    expect(rows[0]).toMatchObject({ before: { refund_proof_above: LIMIT }, after: { refund_proof_above: 0 } })
  })

  test('the refund limit and the rule that requires a second factor can be changed independently', async () => {
    const admin = await factor.enrolledUser()
    await setSecurity(admin, { refund_proof_above: 500 })
    expect((await setSecurity(admin, { second_factor_required: true })).data.refund_proof_above).toBe(500)
    expect((await setSecurity(admin, { refund_proof_above: 600 })).data.second_factor_required).toBe(true)
  })

  test('only an admin who confirmed the second factor less than 15 minutes ago can change the refund limit', async () => {
    const admin = await factor.enrolledUser()
    await forgetProof(admin)
    expect(outcome(await setSecurity(admin, { refund_proof_above: 3 * LIMIT }))).toEqual(ASKED)
    expect(outcome(await setSecurity(stale, { refund_proof_above: 3 * LIMIT }))).toEqual([403, 'FORBIDDEN'])
    for (const { accessToken } of [admin, stale])
      expect((await factor.call(accessToken)('GET', '/v1/account')).data.refund_proof_above).toBe(LIMIT)
  })

  test.each([-1, 0.5, 100_000_000_000_001, '100', null])(
    'the limit above which a refund requires a recently confirmed second factor cannot be set to %j',
    async refund_proof_above => {
      const admin = await factor.enrolledUser()
      expect(outcome(await setSecurity(admin, { refund_proof_above }))).toEqual([400, 'BAD_REQUEST'])
    },
  )
})
