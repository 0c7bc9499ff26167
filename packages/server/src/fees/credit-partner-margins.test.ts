import pg from 'pg'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { databaseUrl } from '../../test/support/database-url.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { until } from '../../test/support/merchant.ts'
import { findBalance, listEntries, postTransfers } from '../ledger/ledger.sql.ts'
import { type Transfer, transfer } from '../ledger/transfer.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { MAX_SUM } from '../values/money.ts'
import { creditPartnerMargins } from './credit-partner-margins.ts'

const { db, url } = await testDatabase()
const app = { db, clock: () => now }
const formula = { version: 1, refund_fees: false, percent_bps: 0, min: null, max: null, tax_bps: 0 }
const feeTerms = { operator: { ...formula, fixed: 100 }, partner: { ...formula, fixed: 250 } }

let partnerId: string
beforeEach(async () => {
  partnerId = await makeTenant(db, { role: 'partner' })
})
const client = () => makeTenant(db, { parentId: partnerId })

async function pay(tenantId: string): Promise<void> {
  const { id: paymentId, amount, paymentCode } = await insertPendingPayment(db, { tenantId, feeTerms })
  const event = { type: 'paid', amountPaid: amount, paidAt: later(1_000), reference: paymentCode } as const
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
}
const entries = () => listEntries(db, partnerId, 'live', null, 10)
const marginOf = async (tenantId: string) => {
  const { rows } = await db.raw(
    `select balance from book_accounts where tenant_id = ? and account_id = '00000000-0000-0000-0000-000000000004'`,
    [tenantId],
  )
  return rows[0]?.balance
}

/** Creates a Client for each amount in `margins`, and posts this amount as the margin from the Client. */
async function makeMargins(margins: bigint[]): Promise<void> {
  const why = { paymentId: null, unexpectedMoneyId: null, referenceId: 'margin', reason: 'a test' }
  const transfers: Transfer[] = []
  for (const margin of margins) {
    const moved =
      margin > 0n
        ? transfer('adjustment', 'fee:partner', margin)
        : transfer('fee:partner', 'adjustment', -margin)
    transfers.push({ ...moved, ...why, tenantId: await client(), mode: 'live' })
  }
  await db.transaction(tx => postTransfers(tx, transfers, now))
}
const marginsLeft = async () => {
  const { rows } = await db.raw<{ rows: { balance: bigint }[] }>(
    `select balance from book_accounts a join tenants t on t.id = a.tenant_id
     where t.parent_id = ? and account_id = '00000000-0000-0000-0000-000000000004' and balance <> 0`,
    [partnerId],
  )
  return rows.map(({ balance }) => balance)
}

test('a Partner gets one ledger entry for its margins from all its Clients', async () => {
  const clients = [await client(), await client()]
  for (const each of clients) await pay(each)
  await pay(clients[0] as string)
  await creditPartnerMargins(app)
  expect(await entries()).toMatchObject([
    { entryType: 'credit', amount: 450n, paymentId: null, reason: 'margin of the fees of 2 clients' },
  ])
  for (const each of clients) expect(await marginOf(each)).toBe(0n)
})

test("a Partner's margin is credited once, even if several processes credit margins at the same time", async () => {
  const shop = await client()
  await pay(shop)
  await Promise.all(Array.from({ length: 8 }, () => creditPartnerMargins(app)))
  expect(await findBalance(db, partnerId, 'live')).toBe(150n)
  await pay(shop)
  await creditPartnerMargins(app)
  expect(await findBalance(db, partnerId, 'live')).toBe(300n)
  expect(await entries()).toHaveLength(2)
})

test("crediting payments and Partners' margins at the same time causes no deadlock, and credits every margin", async () => {
  const clients = [await client(), await client(), await client()]
  const paying = clients.flatMap(each => Array.from({ length: 10 }, () => pay(each)))
  await Promise.all([...paying, ...Array.from({ length: 10 }, () => creditPartnerMargins(app))])
  await creditPartnerMargins(app)
  expect(await findBalance(db, partnerId, 'live')).toBe(30n * 150n)
})

test('if the connection is lost while margins are credited, the next run credits each exactly once', async () => {
  const clients = [await client(), await client()]
  for (const each of clients) await pay(each)
  const name = new URL(url).pathname.slice(1)
  const admin = new pg.Client({ connectionString: databaseUrl(inject('databaseUrls').adminUrl, name) })
  await admin.connect()
  try {
    // The Partner's credit is posted before the transfers in the Clients' ledgers. The test locks
    // `book_transfers`, so that these transfers have to wait.
    await admin.query('begin')
    await admin.query('lock table book_transfers in share row exclusive mode')
    const crediting = creditPartnerMargins(app).catch(error => error)
    const pid = await until('the transfers wait', async () => {
      const waiting = `select pid from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      return (await admin.query(waiting, [name])).rows[0]?.pid
    })
    await admin.query('select pg_terminate_backend($1)', [pid])
    expect(await crediting).toBeInstanceOf(Error)
    await admin.query('rollback')
  } finally {
    await admin.end()
  }
  expect(await entries()).toEqual([])
  await creditPartnerMargins(app)
  await creditPartnerMargins(app)
  expect(await entries()).toMatchObject([{ amount: 300n }])
  for (const each of clients) expect(await marginOf(each)).toBe(0n)
})

test("if a Partner has earned no margins on its Clients' payments, crediting the margins creates no ledger entry", async () => {
  await client()
  await creditPartnerMargins(app)
  expect(await entries()).toEqual([])
})

test("every margin (the Partner's share of a fee) is processed, even in a batch that sums to zero or less", async () => {
  await makeMargins([...Array(150).fill(-2n), ...Array(150).fill(1n), ...Array(150).fill(3n)])
  await creditPartnerMargins(app)
  expect(await findBalance(db, partnerId, 'live')).toBe(300n)
  expect(await marginsLeft()).toEqual([])
})

test("after returned fees exceed a Partner's margins, the Partner gets no credit until later margins exceed them", async () => {
  const shop = await client()
  await makeMargins([...Array(101).fill(-2n), ...Array(100).fill(2n)])
  await creditPartnerMargins(app)
  expect(await entries()).toEqual([])
  expect(await marginsLeft()).toEqual([-2n])
  await pay(shop)
  await creditPartnerMargins(app)
  expect(await entries()).toMatchObject([{ amount: 148n, reason: 'margin of the fees of 2 clients' }])
  expect(await marginsLeft()).toEqual([])
})

test('if a negative margin exceeds all positive margins, the Partner gets no credit', async () => {
  await makeMargins([-1_000n, ...Array(250).fill(3n)])
  await creditPartnerMargins(app)
  expect(await entries()).toEqual([])
  expect(await marginsLeft()).toEqual([-250n])
})

test("margins are credited only up to the Partner's maximum balance; the rest stays in the Client's book", async () => {
  const why = { paymentId: null, unexpectedMoneyId: null, referenceId: 'margin', reason: 'a test' }
  const almostFull = transfer('adjustment', 'merchant', MAX_SUM - 40n)
  await db.transaction(tx =>
    postTransfers(tx, [{ ...almostFull, ...why, tenantId: partnerId, mode: 'live' }], now),
  )
  await makeMargins([30n, 30n])
  await creditPartnerMargins(app)
  await creditPartnerMargins(app)
  expect(await findBalance(db, partnerId, 'live')).toBe(MAX_SUM)
  expect(await marginsLeft()).toEqual([20n])
})

test("if crediting one Partner's margins fails, the other Partners' margins are credited, and the error is reported", async () => {
  const failing = partnerId
  await pay(await client())
  partnerId = await makeTenant(db, { role: 'partner' })
  await pay(await client())
  await asOwner(db, async owner => {
    await owner.raw(`create function reject_credit() returns trigger language plpgsql as $$
                     begin raise 'no credit for this Partner'; end $$`)
    await owner.raw(`create trigger reject_credit before insert on ledger_entries for each row
                     when (new.tenant_id = '${failing}') execute function reject_credit()`)
  })
  onTestFinished(() => asOwner(db, owner => owner.raw('drop function reject_credit cascade')))
  await expect(creditPartnerMargins(app)).rejects.toMatchObject({
    errors: [{ message: expect.stringContaining('no credit for this Partner') }],
  })
  expect(await findBalance(db, partnerId, 'live')).toBe(150n)
  expect(await findBalance(db, failing, 'live')).toBe(0n)
})
