import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOnce, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { newPlace, type Place, removePlace, type Service, startService } from '../support/service.ts'

const PAYMENTS = 300
const AT_ONCE = 20
const COPIES = 5

let place: Place
let service: Service

beforeAll(async () => {
  place = await newPlace()
  service = await startService(place)
})
afterAll(async () => {
  expect(await service.stop()).toBe(0)
  await removePlace(place)
})

test('[M1] a payment with five concurrent callbacks is paid with exactly one credit and one webhook', async () => {
  const hook = await receiver(service.demo)
  const merchant = merchantOf(service.demo)
  const payments = await atOnce(AT_ONCE, [...Array(PAYMENTS).keys()], async n => {
    const { data } = await merchant.create({ amount: 1_000_000 + n * 100 })
    await simulate(service.demo, data, 'paid', { copies: COPIES })
    return data
  })
  await expectAllPaid(payments, hook)
  hook.close()
})

test('each payment ends up paid with one credit and one webhook, even if the service is killed midway', async () => {
  const hook = await receiver(service.demo)
  const merchant = merchantOf(service.demo)
  const keys = [...Array(PAYMENTS).keys()].map(n => `crash-${n}`)
  let killed: Promise<void> | undefined
  // After the restart, the test repeats the requests that got no response with their idempotency keys, as a merchant
  // would do.
  const attempt = async (key: string) => {
    const created = await merchant
      .create({ amount: 1_000_000 + keys.indexOf(key) * 100 }, key)
      .catch(() => undefined)
    if (created?.status !== 200) return undefined
    if (key === keys[PAYMENTS / 2]) killed = service.kill()
    await simulate(service.demo, created.data, 'paid', { copies: COPIES }).catch(() => undefined)
    return created.data
  }
  await atOnce(AT_ONCE, keys, attempt)
  await killed
  service = await startService(place)

  const payments = await atOnce(AT_ONCE, keys, key =>
    until(`payment ${key} is created`, async () => {
      const { status, data } = await merchant.create({ amount: 1_000_000 + keys.indexOf(key) * 100 }, key)
      return status === 200 && data
    }),
  )
  await atOnce(AT_ONCE, payments, async payment => {
    if (payment.status === 'pending') await simulate(service.demo, payment, 'paid', { copies: COPIES })
  })
  await expectAllPaid(payments, hook)
  hook.close()
})

type Created = { id: string; amount: number; payment_code: string }

async function expectAllPaid(payments: Created[], hook: Awaited<ReturnType<typeof receiver>>): Promise<void> {
  const merchant = merchantOf(service.demo)
  expect(new Set(payments.map(payment => payment.id)).size).toBe(PAYMENTS)
  await atOnce(AT_ONCE, payments, async payment => {
    const paid = await until(`${payment.payment_code} is paid`, async () => {
      const { data } = await merchant.get(payment.id)
      return data?.status === 'paid' && data
    })
    expect(paid.amount_paid).toBe(payment.amount)
    const { data: entries } = await merchant.ledger(payment.id)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      entry_type: 'credit',
      amount: payment.amount,
      reference_id: payment.payment_code,
    })
  })
  // Some webhooks arrive late. If a worker died during a delivery attempt, another worker repeats the attempt only when
  // the lease expires. If an event has no job, a worker finds it only later.
  const isTold = (payment: Created) => hook.of(payment).length > 0
  await until('every webhook arrives', () => payments.every(isTold))
  const verifier = new Webhook(hook.secret)
  for (const payment of payments) {
    const ids = hook.of(payment).map(each => {
      expect(verifier.verify(each.raw, each.headers)).toMatchObject({
        type: 'payment.paid',
        data: { id: payment.id },
      })
      return each.body.id
    })
    // A delivery attempt that the crash interrupted may be repeated, but with the same event id.
    expect(new Set(ids).size).toBe(1)
  }
  await expectRightChain()
}

/**
 * Checks the ledger entries directly in the database. Each entry's balance must equal the previous entry's balance plus
 * the entry's amount, and no entry may be missing in the sequence of versions.
 */
async function expectRightChain(): Promise<void> {
  const client = new pg.Client({ host: `${place.dataDir}/socket`, user: 'gapura', database: 'gapura' })
  await client.connect()
  const { rows } = await client.query(
    `select version, amount, balance_after from ledger_entries where tenant_id = $1 and mode = 'test' order by version`,
    [service.demo.client.tenant_id],
  )
  await client.end()
  let balance = 0n
  for (const [index, row] of rows.entries()) {
    balance += BigInt(row.amount)
    expect([BigInt(row.version), BigInt(row.balance_after)]).toEqual([BigInt(index + 1), balance])
  }
  const auth = await logIn(service.demo, service.demo.client)
  expect(
    BigInt(
      (await merchantOf(service.demo).call('GET', '/v1/account/balance?mode=test', { auth })).data.balance,
    ),
  ).toBe(balance)
}
