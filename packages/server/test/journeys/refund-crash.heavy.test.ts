// Kills the service with kill -9 at each step of a refund and restarts the service. A database lock or a
// proxy to the provider makes the refund wait at the step that the test names.

import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { beforeEach, expect, inject, test } from 'vitest'
import { type Demo, prepareDemo } from '../../src/demo/demo.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { databaseUrl as urlOf } from '../support/database-url.ts'
import { freePort } from '../support/free-port.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { startOnDatabase } from '../support/service-on-database.ts'

const made = await testApp({ worker: false })
const database = await connect()
const provider = await heldProvider(made.demo.sandbox_url)
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const demo = (await prepareDemo(made.app, {
  dataDir: made.dataDir,
  baseUrl: base,
  sandboxUrl: provider.url,
})) as Demo
const shop = merchantOf(demo)
let service: ChildProcess

async function connect(): Promise<pg.Client> {
  const name = new URL(made.databaseUrl).pathname.slice(1)
  const client = new pg.Client({ connectionString: urlOf(inject('databaseUrls').adminUrl, name) })
  await client.connect()
  atEnd(() => client.end())
  return client
}

const start = (): Promise<ChildProcess> => startOnDatabase(made, { port, publicUrl: base })

async function kill(): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  const ended = once(service, 'exit')
  service.kill('SIGKILL')
  await ended
}

type Hold = 'nothing' | 'request' | 'response'

/**
 * Starts a proxy to the provider's sandbox. The proxy can hold back either a refund request or the provider's
 * response to this request.
 */
async function heldProvider(sandboxUrl: string) {
  const state = { hold: 'nothing' as Hold, isHolding: false }
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const isHeld = (which: Hold) => state.hold === which && method === 'POST' && path.includes('/refund')
    const body = await buffer(incoming)
    if (isHeld('request')) {
      state.isHolding = true
      return
    }
    const { host: _, connection: __, 'content-length': ___, ...sent } = headers
    const response = await fetch(sandboxUrl + path, {
      ...{ method, headers: sent as Record<string, string> },
      ...(method !== 'GET' && { body }),
    })
    const text = await response.text()
    if (isHeld('response')) {
      state.isHolding = true
      return
    }
    outgoing
      .writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '' })
      .end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state }
}

/** The number of the advisory lock that this test holds and the delayed statement waits for. */
const LOCK = 4_711

/**
 * Creates a trigger that makes the given kind of statement wait for a lock, which this test holds until it calls
 * `release`.
 */
async function holdStatement(event: string, when: string): Promise<void> {
  await database.query(`select pg_advisory_lock(${LOCK})`)
  await database.query(`create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`)
  await database.query(
    `create trigger aaa_wait_for_test before ${event} for each row when (${when}) execute function wait_for_test()`,
  )
}

const waiting = `from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
  and database = (select oid from pg_database where datname = current_database())`

const isStatementHeld = async (): Promise<boolean> =>
  (await database.query(`select 1 ${waiting}`)).rows.length > 0

/**
 * Ends the statement that the test's trigger keeps waiting, as PostgreSQL does when a client has disconnected, and
 * removes the trigger.
 */
async function release(): Promise<void> {
  await until('the delayed statement has ended', async () => {
    const { rows } = await database.query(`select pg_terminate_backend(pid) ${waiting}`)
    return rows.length === 0
  })
  await database.query(`select pg_advisory_unlock_all()`)
  await database.query('drop function if exists wait_for_test cascade')
}

type Step = {
  hold(): Promise<unknown>
  isReached(): Promise<boolean> | boolean
  /** True if the merchant gets the response to its refund request before the service reaches this step. */
  isAnswered?: boolean
}
const heldStatement = (event: string, when: string): Step => ({
  hold: () => holdStatement(event, when),
  isReached: isStatementHeld,
})
const heldCall = (hold: Hold): Step => ({
  hold: async () => Object.assign(provider.state, { hold, isHolding: false }),
  isReached: () => provider.state.isHolding,
})

const steps: Record<string, Step> = {
  'before the reservation commits': heldStatement('insert on ledger_entries', 'new.refund_id is not null'),
  'after the reservation commits and before the provider call': heldStatement(
    'update on refunds',
    'old.requested_at is null and new.requested_at is not null',
  ),
  'during the provider call, which the provider has carried out': heldCall('response'),
  'after the provider answered and before the answer is recorded': heldStatement(
    'update on refunds',
    'old.provider_refund_id is null and new.provider_refund_id is not null',
  ),
  'before the callback that reports the success is recorded': {
    ...heldStatement('update on refunds', `old.status = 'pending' and new.status = 'succeeded'`),
    isAnswered: true,
  },
}

beforeEach(async () => {
  service = await start()
  return async () => {
    await kill()
    await release()
    provider.state.hold = 'nothing'
  }
})

const AMOUNT = 2_000_000

async function paidPayment(): Promise<{ id: string; payment_code: string }> {
  const { data } = await shop.create({
    amount: 5_000_000,
    method_type: 'qris',
    method_detail: { type: 'qris' },
  })
  await simulate(demo, data, 'paid')
  await until('the payment is paid', async () => (await shop.get(data.id)).data.status === 'paid')
  return data
}
const refund = (payment: { id: string }, key: string) =>
  shop.call('POST', `/v1/payments/${payment.id}/refunds`, {
    body: { amount: AMOUNT },
    headers: { 'x-idempotency-key': key },
  })

/** Returns what the provider, the ledger, and the service record about a payment's refunds. */
async function recorded(payment: { id: string; payment_code: string }) {
  const response = await fetch(`${demo.sandbox_url}/orders?payment_code=${payment.payment_code}`)
  const { orders } = (await response.json()) as {
    orders: { returns: { amount_cents: number; status: string }[] }[]
  }
  const { data: entries } = await shop.ledger(payment.id)
  const { data: refunds } = await shop.call('GET', `/v1/payments/${payment.id}/refunds`)
  return {
    atProvider: orders.flatMap(({ returns }) => returns.map(({ amount_cents }) => amount_cents)),
    entries: entries.map((entry: { entry_type: string; amount: number }) => [entry.entry_type, entry.amount]),
    refunds: refunds.map(({ status }: { status: string }) => status),
  }
}
const credit = ['credit', 5_000_000]
const debit = ['debit', AMOUNT]
const refundedOnce = { atProvider: [AMOUNT], entries: [credit, debit], refunds: ['succeeded'] }

/** Requests a refund and kills the service once the refund has reached the given step. */
async function killAt({ hold, isReached, isAnswered = false }: Step) {
  const payment = await paidPayment()
  const key = randomUUID()
  await hold()
  const answer = refund(payment, key).catch(() => undefined)
  await until('the step is reached', isReached)
  await kill()
  expect((await answer)?.status).toBe(isAnswered ? 200 : undefined)
  await release()
  provider.state.hold = 'nothing'
  service = await start()
  return { payment, key }
}

test.each(Object.entries(steps))(
  'a refund is made exactly once, even if the service is killed %s',
  async (_, step) => {
    const { payment, key } = await killAt(step)
    const { data } = await refund(payment, key)
    await until(
      'the refund succeeds',
      async () => (await shop.call('GET', `/v1/refunds/${data.id}`)).data.status === 'succeeded',
    )
    expect(await recorded(payment)).toEqual(refundedOnce)
  },
)

test('a refund is made exactly once, even if the service is killed after it has recorded the refund as succeeded', async () => {
  const payment = await paidPayment()
  const key = randomUUID()
  const { data } = await refund(payment, key)
  await until(
    'the refund succeeds',
    async () => (await shop.call('GET', `/v1/refunds/${data.id}`)).data.status === 'succeeded',
  )
  await kill()
  service = await start()
  expect((await refund(payment, key)).data).toMatchObject({ id: data.id, status: 'succeeded' })
  expect(await recorded(payment)).toEqual(refundedOnce)
})

test('a refund request that did not reach the provider is not repeated', async () => {
  const { payment, key } = await killAt(heldCall('request'))
  const { data } = await refund(payment, key)
  await until(
    'the service has inquired about the refund',
    async () => (await shop.call('GET', `/v1/refunds/${data.id}`)).data.failure_reason !== null,
  )
  expect(await recorded(payment)).toEqual({ atProvider: [], entries: [credit, debit], refunds: ['pending'] })
  const auth = await logIn(demo, demo.owner)
  const resolved = await http('POST', `${base}/v1/refunds/${data.id}/resolve`, {
    auth,
    body: { outcome: 'failed', reason: 'the provider has no such refund' },
  })
  expect(resolved.status).toBe(200)
  expect(await recorded(payment)).toEqual({
    atProvider: [],
    entries: [credit, debit, ['credit', AMOUNT]],
    refunds: ['failed'],
  })
})
