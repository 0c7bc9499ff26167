// Tests how a create request detects that its idempotency key was used before. Usually, the insert of the
// payment detects this. A separate query is needed in two cases: the tenant has no usable provider account,
// or a circuit breaker is not closed.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import { alwaysHealthy } from '../support/always-healthy.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { merchantOf, until } from '../support/merchant.ts'
import { sentWhile } from '../support/sent-statements.ts'

const health = { ...alwaysHealthy, isOpen: vi.fn(() => false), isClosed: () => true }
let { app, demo }: TestApp = {} as TestApp
let merchant: ReturnType<typeof merchantOf>

beforeAll(async () => {
  ;({ app, demo } = await testApp({ worker: false, overrides: { health } }))
  merchant = merchantOf(demo)
})

/**
 * Returns the SQL statements that insert or update payments and those that find payments by idempotency key.
 * The statements are in the order in which they were sent.
 */
const paymentStatements = async (run: () => Promise<unknown>): Promise<string[]> =>
  (await sentWhile(run)).flatMap(
    ({ text }) => /insert into payments|idempotency_key = k\.key|update payments/.exec(text) ?? [],
  )

test('creating a payment takes only two database statements: one before its charge and one after it', async () => {
  const key = randomUUID()
  expect(await paymentStatements(() => merchant.create({}, key))).toEqual([
    'insert into payments',
    'update payments',
  ])
  expect(await paymentStatements(() => merchant.create({}, key))).toEqual([
    'insert into payments',
    'idempotency_key = k.key',
  ])
})

test('a repeated idempotency key returns the existing payment even without access to any provider account', async () => {
  const key = randomUUID()
  const first = await merchant.create({}, key)
  const { rows } = await app.db.raw(
    'delete from entitlements where tenant_id = ? returning provider_account_id',
    [demo.client.tenant_id],
  )
  try {
    await expect.poll(async () => (await merchant.create()).status).toBe(400)
    expect((await merchant.create({}, key)).data.id).toBe(first.data.id)
    expect((await merchant.create({ amount: 100 }, key)).error?.code).toBe('IDEMPOTENCY_CONFLICT')
  } finally {
    for (const { provider_account_id: id } of rows)
      await app.db.raw('insert into entitlements (tenant_id, provider_account_id) values (?, ?)', [
        demo.client.tenant_id,
        id,
      ])
  }
})

test("a repeated idempotency key does not use up a half-open circuit breaker's test charge", async () => {
  health.isClosed = () => false
  try {
    const key = randomUUID()
    const first = await until('the tenant may use its provider accounts again', async () => {
      const { status, data } = await merchant.create({}, key)
      return status === 200 && data
    })
    health.isOpen.mockClear()
    expect((await merchant.create({}, key)).data.id).toBe(first.id)
    expect(health.isOpen).not.toHaveBeenCalled()
  } finally {
    health.isClosed = () => true
  }
})

test.each(['a new', 'an uncharged'])(
  'if several requests with the idempotency key of %s payment arrive together and no order is created, only one of these requests makes charge attempts',
  async kind => {
    const order = { customer_name: 'SANDBOX OUTAGE' }
    const attemptsOf = async (key: string): Promise<number> =>
      (await app.db.raw('select attempt from payments where idempotency_key = ?', [key])).rows[0].attempt
    const single = randomUUID()
    await merchant.create(order, single)
    const attemptsOfOne = await attemptsOf(single)

    const key = randomUUID()
    if (kind === 'an uncharged') await merchant.create(order, key)
    const before = kind === 'an uncharged' ? attemptsOfOne : 0
    const answers = await Promise.all(Array.from({ length: 10 }, () => merchant.create(order, key)))
    for (const { status, headers } of answers)
      expect([status, headers.get('retry-after')]).toEqual([502, '5'])
    expect(await attemptsOf(key)).toBe(before + attemptsOfOne)

    await merchant.create(order, key)
    expect(await attemptsOf(key)).toBe(before + 2 * attemptsOfOne)
  },
)
