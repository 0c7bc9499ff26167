import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Answer, http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { storedCallbacksWith } from '../support/stored-callbacks.ts'

let { app, demo }: TestApp = {} as TestApp
let owner: string
let partner: string
let client: string
let shop: ReturnType<typeof merchantOf>

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  ;[owner, partner, client] = await Promise.all([
    logIn(demo, demo.owner),
    logIn(demo, demo.partner),
    logIn(demo, demo.client),
  ])
  shop = merchantOf(demo)
})

const call = (method: string, path: string, body?: object, auth = owner) =>
  http(method, demo.base_url + path, { auth, ...(body && { body }) })
const codeOf = ({ status, error }: Answer) => [status, error?.code]
const resolve = (id: string, decision: string, auth = owner) =>
  call('POST', `/v1/payments/${id}/resolve`, { decision, reason: 'agreed by phone' }, auth)
const lastAct = async (action: string) =>
  (await call('GET', `/v1/audit-log?limit=1&action=${action}`)).data.items[0]

async function challenged(outcome: 'challenged' | 'paid' = 'challenged', amount?: number) {
  const { data } = await shop.create()
  await simulate(demo, data, outcome, amount === undefined ? {} : { amount })
  await until('the payment is challenged', async () => (await shop.get(data.id)).data.status === 'challenged')
  return data as { id: string; payment_code: string }
}
const callbackOf = async ({ id }: { id: string }) =>
  (await call('GET', `/v1/provider-callbacks?payment_id=${id}`)).data.items[0]

describe('the Owner can accept or reject a challenged payment', () => {
  test('accepting a challenged payment (held for review) credits the amount received exactly once', async () => {
    const before = await shop.balance()
    const { id, payment_code } = await challenged('paid', 9_900_000)
    const answers = await Promise.all([resolve(id, 'accept'), resolve(id, 'accept')])
    expect(answers.map(codeOf).sort()).toEqual([
      [200, undefined],
      [409, 'INVALID_STATE_TRANSITION'],
    ])
    const { data } = await shop.get(id)
    expect(data).toMatchObject({ status: 'paid', amount: 10_000_000, amount_paid: 9_900_000 })
    expect((await shop.ledger(id)).data).toMatchObject([
      { entry_type: 'credit', amount: 9_900_000, reference_id: payment_code },
    ])
    expect(await shop.balance()).toBe(before + 9_900_000)
    expect((await shop.call('GET', `/v1/payments/${id}/timeline`)).data.at(-1)).toMatchObject({
      from: 'challenged',
      to: 'paid',
      cause: 'owner',
      detail: 'agreed by phone',
    })
    expect(await lastAct('payment.resolve')).toMatchObject({
      action: 'payment.resolve',
      actor_tenant_id: demo.owner.tenant_id,
      tenant_id: demo.client.tenant_id,
      subject_id: id,
      before: { status: 'challenged' },
      after: { status: 'paid', amount_paid: '9900000', reason: 'agreed by phone' },
    })
  })

  test('accepting a challenged payment (held for review) credits the full amount if the received amount is unknown', async () => {
    const { id } = await challenged()
    const { data } = await resolve(id.toUpperCase(), 'accept')
    expect(data).toMatchObject({ id, status: 'paid', amount_paid: 10_000_000 })
  })

  test('a rejected challenged payment (held for review) becomes paid if money is received later', async () => {
    const payment = await challenged('paid', 9_900_000)
    expect((await resolve(payment.id, 'reject')).data).toMatchObject({
      status: 'failed',
      failure_reason: 'agreed by phone',
      amount_paid: null,
    })
    expect((await shop.ledger(payment.id)).data).toEqual([])
    await simulate(demo, payment, 'paid')
    await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  })

  test('only a challenged payment (held for a decision) can be accepted or rejected', async () => {
    const { id } = (await shop.create()).data
    const answer = await resolve(id, 'accept')
    expect([...codeOf(answer), answer.error.message]).toEqual([
      409,
      'INVALID_STATE_TRANSITION',
      'invalid state transition: from pending to paid',
    ])
  })

  test('the error about an invalid decision on a challenged payment (held for review) names the field', async () => {
    const { id } = await challenged()
    for (const [body, name] of [
      [{ reason: 'why' }, 'decision'],
      [{ decision: 'maybe', reason: 'why' }, 'decision'],
      [{ decision: 'accept' }, 'reason'],
      [{ decision: 'accept', reason: ' ' }, 'reason'],
    ] as const) {
      const answer = await call('POST', `/v1/payments/${id}/resolve`, body)
      expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
      expect(answer.error.message).toMatch(new RegExp(`^bad request: ${name}: `))
    }
    expect((await shop.get(id)).data.status).toBe('challenged')
  })

  test('only the Owner can accept or reject a challenged payment (held for review)', async () => {
    const { id } = await challenged()
    expect(codeOf(await resolve(id, 'accept', client))).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await resolve(id, 'accept', partner))).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await resolve(id, 'accept', `ApiKey ${demo.client.test_key}`))).toEqual([
      401,
      'UNAUTHORIZED',
    ])
    for (const none of [randomUUID(), 'none'])
      expect(codeOf(await resolve(none, 'accept'))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('the Owner can list the callbacks that providers sent, with their content', () => {
  test('the list of provider callbacks can be filtered by provider, provider account, payment, and status', async () => {
    const payment = await challenged()
    const callback = await callbackOf(payment)
    expect(callback).toMatchObject({
      provider: 'midtrans',
      status: 'applied',
      tenant_id: demo.client.tenant_id,
      payment_id: payment.id,
      payment_code: payment.payment_code,
      body_encoding: 'utf8',
      body_truncated: false,
    })
    expect(JSON.parse(callback.body)).toMatchObject({ order_id: payment.payment_code })
    const list = async (query: string) =>
      (await call('GET', `/v1/provider-callbacks?mode=test&limit=1&${query}`)).data.items.map(
        ({ id }: Answer['data']) => id,
      )
    const account = callback.provider_account_id
    expect(await list(`provider_account_id=${account}&status=applied&provider=midtrans`)).toEqual([
      callback.id,
    ])
    const code = payment.payment_code.toLowerCase()
    expect(await list(`payment_id=${code}`)).toEqual(await list(`payment_id=${payment.id}`))
    expect(await list('payment_id=GP261120-0000000000')).toEqual([])
    expect(await list(`payment_id=${payment.id}&status=refused`)).toEqual([])
    expect(await list(`payment_id=${payment.id}&provider_account_id=${randomUUID()}`)).toEqual([])
    for (const name of ['provider', 'status', 'provider_account_id', 'payment_id']) {
      const answer = await call('GET', `/v1/provider-callbacks?${name}=none`)
      expect(answer.error.message).toMatch(new RegExp(`^bad request: ${name}: `))
    }
  })

  test('callbacks with an invalid signature are listed separately, without credentials, and in base64 if they are not text', async () => {
    const account = demo.provider_accounts[0]?.id ?? ''
    await fetch(`${demo.base_url}/v1/callbacks/midtrans/${account}`, {
      method: 'POST',
      headers: { 'x-callback-token': 'secret', 'user-agent': 'forger' },
      body: Buffer.from([0xff, 0xfe, 0x00]),
    })
    const { items } = (
      await call('GET', `/v1/provider-callbacks/rejected?limit=1&provider_account_id=${account}`)
    ).data
    expect(items).toMatchObject([
      {
        provider: 'midtrans',
        body: '//4A',
        body_encoding: 'base64',
        reason: expect.any(String),
        headers: { 'x-callback-token': '[redacted]', 'user-agent': 'forger' },
      },
    ])
  })

  test('the list of provider callbacks truncates a long body at a character boundary', async () => {
    const { rows } = await app.db.raw(
      `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status)
       values (?, ?, 'midtrans', '{}', ?, 'ignored') returning id`,
      [
        '01990000-0000-7000-8000-000000000001',
        demo.provider_accounts[0]?.id ?? '',
        Buffer.from(`x${'é'.repeat(10_000)}`),
      ],
    )
    const { items } = (await call('GET', '/v1/provider-callbacks?mode=all&status=ignored&limit=100')).data
    const shown = items.find(({ id }: { id: string }) => id === rows[0].id)
    expect(shown).toMatchObject({
      body: `x${'é'.repeat(8_191)}`,
      body_encoding: 'utf8',
      body_truncated: true,
    })
  })

  test('the list of provider callbacks is visible only to the Owner', async () => {
    const { id } = await callbackOf(await challenged())
    for (const [method, path] of [
      ['GET', '/v1/provider-callbacks'],
      ['GET', '/v1/provider-callbacks/rejected'],
      ['POST', `/v1/provider-callbacks/${id}/reprocess`],
    ] as const) {
      for (const auth of [client, partner])
        expect(codeOf(await call(method, path, undefined, auth))).toEqual([403, 'FORBIDDEN'])
      expect(codeOf(await call(method, path, undefined, `ApiKey ${demo.client.test_key}`))).toEqual([
        401,
        'UNAUTHORIZED',
      ])
      expect(codeOf(await http(method, demo.base_url + path))).toEqual([401, 'UNAUTHORIZED'])
    }
  })
})

describe('the Owner can reprocess a stored callback, for example a callback that matched no payment', () => {
  /**
   * Changes a payment's reference. A trigger rejects such changes. The function therefore runs as the
   * table's owner and disables the trigger during the change.
   */
  const refer = (payment: { id: string }, reference: string) =>
    asOwner(app.db, owner =>
      owner.transaction(async tx => {
        await tx.raw('alter table payment_references disable trigger payment_references_end_once')
        await tx.raw('update payment_references set reference = ? where payment_id = ?', [
          reference,
          payment.id,
        ])
        await tx.raw('alter table payment_references enable trigger payment_references_end_once')
      }),
    )
  /**
   * Creates a callback that matched no payment when it was received, because no payment had its reference at
   * that time. Afterwards, a payment has this reference.
   */
  async function unmatched() {
    const { data } = await shop.create()
    await refer(data, 'elsewhere')
    await simulate(demo, data, 'paid')
    const { id } = await until('the callback is unmatched', async () =>
      (await storedCallbacksWith(app.db, data.payment_code, 'settlement')).find(
        ({ status }) => status === 'unmatched',
      ),
    )
    await refer(data, data.payment_code)
    return { payment: data, id }
  }
  const reprocess = (id: string, body?: object) =>
    call('POST', `/v1/provider-callbacks/${id}/reprocess`, body)

  test('reprocessing a callback changes nothing unless dry_run is set to false', async () => {
    const { payment, id } = await unmatched()
    const answer = { outcome: 'applied', reason: null, payment_id: payment.id, from: 'pending', to: 'paid' }
    const acts = async () => (await app.db.raw('select count(*) from audit_log')).rows
    const before = await acts()
    expect((await reprocess(id)).data).toEqual({ ...answer, dry_run: true })
    expect((await shop.get(payment.id)).data.status).toBe('pending')
    expect((await shop.ledger(payment.id)).data).toEqual([])
    const left = (await call('GET', '/v1/provider-callbacks?mode=test&status=unmatched')).data.items
    expect(left.map((each: { id: string }) => each.id)).toContain(id)
    expect(await acts()).toEqual(before)

    expect((await reprocess(id, { dry_run: false })).data).toEqual({ ...answer, dry_run: false })
    expect((await shop.get(payment.id)).data.status).toBe('paid')
    expect((await shop.ledger(payment.id)).data).toHaveLength(1)
    expect(await callbackOf(payment)).toMatchObject({ id, status: 'applied' })
    expect(await lastAct('callback.reprocess')).toMatchObject({
      action: 'callback.reprocess',
      subject_id: id,
      tenant_id: demo.client.tenant_id,
      before: { payment_id: payment.id, status: 'pending' },
      after: { payment_id: payment.id, status: 'paid', outcome: 'applied' },
    })
  })

  test('reprocessing a callback that was already applied changes nothing, and the callback stays applied', async () => {
    const payment = await challenged()
    const { id } = await callbackOf(payment)
    expect((await reprocess(id, { dry_run: false })).data).toEqual({
      outcome: 'repeated',
      reason: null,
      payment_id: payment.id,
      from: 'challenged',
      to: 'challenged',
      dry_run: false,
    })
    expect((await callbackOf(payment)).status).toBe('applied')
  })

  test('a request to reprocess a callback is rejected if the callback is unknown or dry_run is not a boolean', async () => {
    for (const id of [randomUUID(), 'none']) expect(codeOf(await reprocess(id))).toEqual([404, 'NOT_FOUND'])
    const answer = await reprocess(randomUUID(), { dry_run: 'no' })
    expect(answer.error.message).toMatch(/^bad request: dry_run: /)
  })
})
