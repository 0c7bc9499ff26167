import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { moneyReceivedEvent } from '../../src/payments/payment.ts'
import { insertUnexpectedMoney } from '../../src/payments/record/unexpected-money.sql.ts'
import { newRecord } from '../../src/payments/record/unexpected-money.ts'
import { newId } from '../../src/values/id.ts'
import { inboxBench, type Paid, REASON } from '../support/inbox.ts'
import { refusal } from '../support/management-api.ts'
import { type Answer, simulate, until } from '../support/merchant.ts'

const { app, demo, accountId, managers, owner, ...bench } = await inboxBench()
const { applied, tell, created, simulated, paid, recordOf, decide, entriesOf } = bench

/** Records received money as if the provider had reported it without a receipt ID. */
const arrived = (payment: Paid, amountPaid: bigint) =>
  app.recordInBatch({
    tenantId: demo.client.tenant_id,
    paymentId: payment.id,
    event: current =>
      moneyReceivedEvent(current, { amountPaid, paidAt: new Date(), reference: payment.payment_code }),
    cause: 'inquiry',
  })

describe('if a provider reports the same money again with a higher amount, the money is not counted twice', () => {
  test('money reported several times without an id counts once, with the largest reported amount', async () => {
    const payment = await created()
    for (const sum of [4_000_000n, 6_000_000n, 4_000_000n]) await arrived(payment, sum)
    const record = await recordOf(payment)
    expect(record).toMatchObject({ kind: 'underpaid', amount: 6_000_000, receipt: null, status: 'open' })
    await decide(record.id, 'accept', { without_confirmation: true })
    expect((await bench.shop.get(payment.id)).data).toMatchObject({ status: 'paid', amount_paid: 6_000_000 })
    await bench.giveBack(record.id)
    expect(await entriesOf(payment)).toEqual([
      ['credit', 6_000_000],
      ['debit', 6_000_000],
    ])
  })

  test('refunding an overpayment returns the excess by default, even after a report of a partial amount', async () => {
    const payment = await created()
    const transaction_id = randomUUID()
    for (const gross_amount of ['40000.00', '130000.00'])
      await tell(payment.payment_code, { transaction_id, gross_amount })
    const [overpaid, part] = await bench.recordsOf(payment)
    expect(part).toMatchObject({ kind: 'underpaid', status: 'accepted', in_ledger: true })
    expect(overpaid).toMatchObject({ kind: 'overpaid', status: 'open', amount: 13_000_000, in_ledger: true })
    await bench.giveBack(overpaid.id)
    expect(await entriesOf(payment)).toEqual([
      ['credit', 13_000_000],
      ['debit', 3_000_000],
    ])
  })
})

test('after the Owner has rejected a payment, a repeated report of a partial amount changes nothing', async () => {
  const payment = await paid(6_000_000)
  const lesser = { transaction_id: randomUUID(), gross_amount: '40000.00' }
  await tell(payment.payment_code, lesser)
  await owner('POST', `/v1/payments/${payment.id}/resolve`, { decision: 'reject', reason: REASON })
  await tell(payment.payment_code, lesser)
  expect(await bench.statusOf(payment)).toBe('failed')
  expect(await bench.toldOf(payment, 2)).toEqual([['payment.challenged'], ['payment.failed']])
  expect((await bench.recordsOf(payment)).map(({ status }: Answer['data']) => status)).toEqual([
    'open',
    'open',
  ])
})

test('money without an ID cannot be refunded after the provider has reversed it', async () => {
  const payment = await created()
  await arrived(payment, 4_000_000n)
  const record = await recordOf(payment)
  await simulated(payment, 'paid')
  await simulated(payment, 'failed')
  expect(refusal(await decide(record.id, 'refund'))[2]).toMatch(
    /the ledger already contains the debit of this money$/,
  )
  expect(await entriesOf(payment)).toEqual([
    ['credit', 10_000_000],
    ['debit', 10_000_000],
  ])
})

describe('the Owner decides on unexpected money in the inbox', () => {
  test('of several simultaneous decisions on unexpected money, each kind succeeds at most once', async () => {
    const payment = await paid()
    await tell(payment.payment_code)
    const { id } = await recordOf(payment)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? decide(id, 'accept') : bench.refund(id))),
    )
    const won = answers.filter(({ status }) => status === 200)
    const lost = answers.filter(({ status }) => status !== 200).map(refusal)
    for (const refused of lost)
      expect(refused).toEqual([
        409,
        'CONFLICT',
        expect.stringMatching(/^conflict: this record was already (accepted|refunded) at /),
      ])
    // Up to two decisions on the same money can succeed, because the Owner (the operator) can accept the money and then
    // refund it. After a refund, no decision is possible.
    const { status } = (await owner('GET', `/v1/unexpected-money/${id}`)).data
    expect(status).toBe('refunded')
    expect(won.length).toBeLessThanOrEqual(2)
    const wasAccepted = won.some(({ data }) => data.status === 'accepted')
    expect(await entriesOf(payment)).toHaveLength(wasAccepted ? 3 : 1)
  })

  test('unexpected money in the inbox is assigned to only one payment, even by concurrent assignments', async () => {
    const reference = `INV-${randomUUID()}`
    await tell(reference)
    const { items } = (await owner('GET', '/v1/unexpected-money?mode=test&limit=1')).data
    expect(items[0].reference).toBe(reference)
    const payments = await Promise.all(Array.from({ length: 6 }, created))
    const answers = await Promise.all(
      payments.map(({ id }) => decide(items[0].id, 'assign', { payment_id: id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    const entries = (await Promise.all(payments.map(entriesOf))).flat()
    expect(entries).toEqual([['credit', 10_000_000]])
  })

  test('the Owner can assign unexpected money to a payment by its payment code, in uppercase or lowercase', async () => {
    await tell(`INV-${randomUUID()}`)
    const { items } = (await owner('GET', '/v1/unexpected-money?mode=test&limit=1')).data
    const payment = await created()
    const { status, data } = await decide(items[0].id, 'assign', {
      payment_id: payment.payment_code.toLowerCase(),
    })
    expect([status, data.payment_id]).toEqual([200, payment.id])
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
  })

  test('a decision in the inbox locks the payment first and then its record of unexpected money', async () => {
    const payment = await paid(4_000_000)
    const { id } = await recordOf(payment)
    const deciding = await app.db.transaction(async report => {
      await report.raw('select from payments where id = ? for update', [payment.id])
      const answer = decide(id, 'accept')
      await until('the decision waits for the lock', async () => {
        const { rows } = await app.db.raw(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
        return rows.length > 0
      })
      await report.raw('select from unexpected_money where id = ? for update nowait', [id])
      return { answer }
    })
    expect((await deciding.answer).status).toBe(200)
  })

  test('if the Owner accepts one of two partial payments, only the accepted payment is credited', async () => {
    const payment = await paid(4_000_000)
    const named = await recordOf(payment)
    const nameless = newId()
    await insertUnexpectedMoney(app.db, [
      newRecord(
        {
          id: nameless,
          kind: 'underpaid',
          provider: 'midtrans',
          providerAccountId: accountId,
          mode: 'test',
          reference: payment.payment_code,
          receipt: '',
          tenantId: demo.client.tenant_id,
          paymentId: payment.id,
          amount: 500n,
          expectedAmount: 10_000_000n,
          credited: false,
          paidAt: new Date(),
          createdAt: new Date(),
        },
        new Date(),
      ),
    ])
    await decide(nameless, 'accept')
    expect((await owner('GET', `/v1/unexpected-money/${named.id}`)).data).toMatchObject({
      status: 'open',
      in_ledger: false,
    })
    await decide(named.id, 'accept')
    expect(await entriesOf(payment)).toEqual([
      ['credit', 500],
      ['credit', 4_000_000],
    ])
  })

  test('a decision on unexpected money does not deadlock with a simultaneous report of more money', async () => {
    for (let round = 0; round < 5; round++) {
      const payment = await paid(4_000_000)
      const { id } = await recordOf(payment)
      const [answer] = await Promise.all([
        decide(id, 'accept'),
        simulate(demo, payment, 'paid', { copies: 3 }),
      ])
      await applied()
      expect([200, 409]).toContain(answer.status)
      expect(await entriesOf(payment)).toEqual([['credit', answer.status === 200 ? 4_000_000 : 10_000_000]])
    }
  })

  test('the inbox can be filtered by status, kind, and provider, and is listed in pages, newest first', async () => {
    for (const amount of [12_000_000, 4_000_000, 12_000_000]) await paid(amount)
    const cancelled = await created()
    await bench.shop.cancel(cancelled.id)
    await simulated(cancelled, 'paid')
    await tell(`INV-${randomUUID()}`, {}, 1)
    const reversed = await paid()
    await simulated(reversed, 'failed')
    await decide((await recordOf(reversed)).id, 'accept')
    const list = async (query: string) => {
      const seen: Answer['data'][] = []
      let cursor = ''
      do {
        const { data } = await owner('GET', `/v1/unexpected-money?mode=test&limit=3&${query}${cursor}`)
        seen.push(...data.items)
        cursor = data.next_cursor ? `&cursor=${data.next_cursor}` : ''
      } while (cursor !== '')
      return seen
    }
    const all = await list('')
    const ids = all.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(all.map(({ status }) => status)).size).toBe(3)
    const kinds = ['unknown_reference', 'second_payment', 'overpaid', 'underpaid', 'late', 'reversal']
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds))
    for (const [name, values] of [
      ['status', ['open', 'accepted', 'refunded']],
      ['kind', kinds],
      ['provider', ['midtrans', 'xendit']],
    ] as const) {
      for (const value of values)
        expect(await list(`${name}=${value}`)).toEqual(all.filter(each => each[name] === value))
    }
    expect(await list(`payment_id=${randomUUID()}`)).toEqual([])
  })

  test('the inbox rejects an invalid request with an error that names the field', async () => {
    const { id } = await recordOf(await paid(12_000_000))
    for (const [verb, body, name] of [
      ['accept', { reason: ' ' }, 'reason'],
      ['assign', {}, 'payment_id'],
      ['refund', { amount: 0 }, 'amount'],
      ['refund', { amount: 1.5 }, 'amount'],
    ] as const) {
      const answer = await decide(id, verb, body)
      expect([answer.status, answer.error.message]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^bad request: ${name}: `)),
      ])
    }
    for (const none of [randomUUID(), 'none']) {
      expect((await owner('GET', `/v1/unexpected-money/${none}`)).status).toBe(404)
      expect((await decide(none, 'accept')).status).toBe(404)
    }
    for (const query of ['status', 'kind', 'provider', 'payment_id', 'cursor'])
      expect((await owner('GET', `/v1/unexpected-money?${query}=none`)).status).toBe(400)
  })

  test('only the Owner can read the inbox of unexpected money and decide on its records', async () => {
    const { id } = await recordOf(await paid(12_000_000))
    for (const call of [managers.partner, managers.client]) {
      expect((await call('GET', '/v1/unexpected-money')).status).toBe(403)
      for (const verb of ['accept', 'refund'])
        expect((await call('POST', `/v1/unexpected-money/${id}/${verb}`, { reason: REASON })).status).toBe(
          403,
        )
    }
    expect((await owner('GET', `/v1/unexpected-money/${id}`)).data.status).toBe('open')
  })
})
