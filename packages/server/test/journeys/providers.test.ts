// Tests how payments end at every provider: paid, expired, rejected, or first unknown because a response was lost.

import { createHmac, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { methodTypes } from '../../src/payments/method.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { createRequests, receiver, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

let { app, demo, advance }: TestApp = {} as TestApp
type Merchant = Awaited<ReturnType<typeof merchantWith>>
const merchants = new Map<string, Merchant & { hook: Awaited<ReturnType<typeof receiver>> }>()

beforeAll(async () => {
  ;({ app, demo, advance } = await testApp())
  for (const code of providers.keys()) {
    const merchant = await merchantWith(app, demo, code)
    merchants.set(code, { ...merchant, hook: await receiver(demo, undefined, merchant) })
  }
})

const EXPIRY_MINUTES = 60

/**
 * Returns one channel for each of a provider's payment methods: the first whose payments can stay open long enough
 * for the tests in this file.
 */
const choices = (provider: AnyProvider) =>
  methodTypes.flatMap(type => {
    const channels = provider.methods.find(method => method.type === type)?.channels ?? []
    const channel = channels.find(({ limits }) => limits.maxExpiryMinutes >= EXPIRY_MINUTES)
    return channel ? [{ type, channel }] : []
  })
type Choice = ReturnType<typeof choices>[0]

const fields = { virtual_account: 'bank', e_wallet: 'wallet_type', over_the_counter: 'store', qris: null }
function orderOf({ type, channel }: Choice, extra: object = {}) {
  const field = fields[type]
  return {
    amount: 5_000_000,
    method_type: type,
    method_detail: { type, ...(field && { [field]: channel.code }) },
    customer_phone: '081234567890',
    expiry_minutes: EXPIRY_MINUTES,
    ...extra,
  }
}

const merchantAt = (code: string) => merchants.get(code) as NonNullable<ReturnType<typeof merchants.get>>

describe.each([...providers.values()])(
  'payments at the provider $code are credited only once, and are not charged again after a rejection',
  provider => {
    const at = () => merchantAt(provider.code)
    const told = (payment: { id: string }, type: string) =>
      until(`the webhook ${type} arrives`, () =>
        at()
          .hook.of(payment)
          .find(({ body }) => body.type === type),
      )

    test.each(choices(provider))(
      'a payment by $type with five concurrent callbacks is credited once, and its webhook has a valid signature',
      async choice => {
        const created = await at().create(orderOf(choice))
        expect(created).toMatchObject({ status: 200, data: { status: 'pending', provider: provider.code } })
        const answers = await simulate(demo, created.data, 'paid', { copies: 5 })
        expect(answers.map(each => each.status)).toEqual([200, 200, 200, 200, 200])
        const hook = await told(created.data, 'payment.paid')
        const digest = createHmac('sha256', at().hook.secret).update(hook.raw).digest('hex')
        expect(hook.headers['x-service-signature']).toBe(`sha256=${digest}`)
        expect((await at().get(created.data.id)).data).toMatchObject({
          status: 'paid',
          amount_paid: 5_000_000,
        })
        expect((await at().ledger(created.data.id)).data).toMatchObject([
          { entry_type: 'credit', amount: 5_000_000, reference_id: created.data.payment_code },
        ])
      },
    )

    test('a payment rejected by the provider is not charged again, and a repeated request returns the same error', async () => {
      for (const choice of choices(provider)) {
        const key = randomUUID()
        const order = orderOf(choice, { customer_name: 'SANDBOX REJECT' })
        const first = await at().create(order, key)
        expect(first).toMatchObject({ status: 502, error: { code: 'PROVIDER_ERROR' } })
        expect(first.error.message).toMatch(new RegExp(`^provider error \\[${provider.code}\\]: .+`))
        expect((await at().create(order, key)).error).toEqual(first.error)
      }
    })
  },
)

test.each([
  ['e_wallet', 'wallet_type', 'ovo', 2],
  ['e_wallet', 'wallet_type', 'shopeepay', 30],
  ['virtual_account', 'bank', 'bca', 60],
])(
  "by default, a payment with the method %s and the %s %s expires after %i minutes, which is an hour or the channel's shorter maximum",
  async (type, field, code, minutes) => {
    const merchant = merchantAt('xendit')
    const order = {
      amount: 5_000_000,
      method_type: type,
      method_detail: { type, [field]: code },
      customer_phone: '081234567890',
    }
    const { data } = await merchant.create(order)
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(minutes * 60_000)
    const longer = await merchant.create({ ...order, expiry_minutes: 43_200 })
    if (type === 'e_wallet')
      expect([longer.status, longer.error.message]).toEqual([
        400,
        expect.stringMatching(
          /^bad request: expiry_minutes: Xendit allows an expiry of at most \d+ minutes for/,
        ),
      ])
  },
)

test('if charges time out, status inquiries find the payments, and no payment is charged twice', async () => {
  const lost = await Promise.all(
    [...providers.values()].flatMap(provider =>
      choices(provider).map(async choice => {
        const merchant = merchantAt(provider.code)
        const key = randomUUID()
        const order = orderOf(choice, { customer_name: 'SANDBOX TIMEOUT' })
        const answer = await merchant.create(order, key)
        expect(answer).toMatchObject({ status: 502, error: { code: 'PROVIDER_ERROR' } })
        return { provider, merchant, order, key }
      }),
    ),
  )
  advance(6_000)
  await Promise.all(
    lost.map(async ({ provider, merchant, order, key }) => {
      const { rows } = await until(`${provider.code} ${order.method_type} is known`, async () => {
        const found = await app.db.raw(
          "select id, payment_code, status from payments where idempotency_key = ? and status <> 'unknown'",
          [key],
        )
        return found.rows.length === 1 && found
      })
      const [payment] = rows
      // Some providers return the payment instructions only in the charge response. If this response was lost, the
      // payer has no instructions and cannot pay, so the payment fails. Money that is received anyway is still
      // credited.
      expect(['pending', 'failed']).toContain(payment.status)
      expect(await createRequests(demo, payment)).toHaveLength(1)
      if (payment.status === 'pending') {
        expect(await merchant.create(order, key)).toMatchObject({ status: 200, data: { status: 'pending' } })
      }
      await simulate(demo, payment, 'paid')
      await until('the payment is paid', async () => (await merchant.get(payment.id)).data.status === 'paid')
      expect((await merchant.ledger(payment.id)).data).toHaveLength(1)
    }),
  )
})

test('status inquiries find a paid payment whose callback was lost, even after its expiry, and unpaid payments expire', async () => {
  const all = [...providers.values()].flatMap(provider =>
    choices(provider).map(choice => ({ merchant: merchantAt(provider.code), choice })),
  )
  const payments = await Promise.all(
    all.map(async ({ merchant, choice }) => {
      const [early, late] = await Promise.all([
        merchant.create(orderOf(choice)),
        merchant.create(orderOf(choice)),
      ])
      return { merchant, name: `${merchant.provider} ${choice.type}`, early: early.data, late: late.data }
    }),
  )
  const becomes = (name: string, merchant: Merchant, { id }: { id: string }, status: string) =>
    until(`${name} is ${status}`, async () => (await merchant.get(id)).data.status === status)

  for (const { early } of payments) await simulate(demo, early, 'paid', { silently: true })
  advance((EXPIRY_MINUTES - 1) * 60_000)
  await Promise.all(payments.map(({ name, merchant, early }) => becomes(name, merchant, early, 'paid')))
  advance(2 * 60_000)
  await Promise.all(payments.map(({ name, merchant, late }) => becomes(name, merchant, late, 'expired')))
  // Waits for each webhook before the clock is moved. If the clock moved during a webhook delivery, the
  // delivery's lease could expire, and another worker would repeat the delivery.
  for (const { name, merchant, late } of payments)
    await until(`the webhook about the expiry of ${name} arrives`, () => merchant.hook.of(late).length === 1)
  for (const { late } of payments) await simulate(demo, late, 'paid', { silently: true })
  advance(5 * 60_000)
  await Promise.all(payments.map(({ name, merchant, late }) => becomes(name, merchant, late, 'paid')))
  for (const { merchant, late } of payments) {
    await until('both webhooks arrive', () => merchant.hook.of(late).length === 2)
    expect(merchant.hook.of(late).map(({ body }) => body.type)).toEqual(['payment.expired', 'payment.paid'])
    expect((await merchant.ledger(late.id)).data).toHaveLength(1)
  }
})

test('a payment that DOKU reports as closed becomes cancelled before its expiry, and expired afterward', async () => {
  const doku = merchantAt('doku')
  const qris = { type: 'qris', channel: { code: 'qris' } } as Choice
  const { data: payment } = await doku.create(orderOf(qris))
  await simulate(demo, payment, 'cancelled')
  // DOKU sends no callback about this, so a scheduled status inquiry finds the result.
  advance(5 * 60_000)
  await until(
    'the payment is cancelled',
    async () => (await doku.get(payment.id)).data.status === 'cancelled',
  )
  const { data: late } = await doku.create(orderOf(qris))
  advance((EXPIRY_MINUTES + 1) * 60_000)
  await simulate(demo, late, 'cancelled')
  await until('the payment is expired', async () => (await doku.get(late.id)).data.status === 'expired')
})
