import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { shop } from '../../test/support/ledger.ts'
import { makeTenant } from '../../test/support/make.ts'
import type { Db } from '../db/db.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { createLog } from '../logging/log.ts'
import { firstIdAt, newId } from '../values/id.ts'
import { deleteExpired } from './delete-expired.ts'
import { maintainPartitions } from './maintain-partitions.ts'
import { defaultRetention, type Retention } from './retention.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const goingOn = new AbortController().signal

let errors: { table: string }[] = []
const log = Object.assign(createLog('silent'), {
  error: (entry: { table: string }) => void errors.push(entry),
})

let db: Db
let owner: Db
let tenantId: string
let userId: string
let accountId: string
beforeEach(async () => {
  errors = []
  ;({ db, owner } = await testDatabase())
  tenantId = await makeTenant(db)
  userId = newId()
  accountId = newId()
  await db.raw(`insert into users (id, tenant_id, email, password_hash) values (?, ?, 'a@example.com', '')`, [
    userId,
    tenantId,
  ])
  await db.raw(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
     values (?, 'midtrans', 'live', 'ours', '')`,
    [accountId],
  )
})

const drop = (
  retention: Partial<Retention>,
  { clock = () => new Date(), rowsAtOnce = 2, stop = goingOn } = {},
) => deleteExpired({ db, clock, log, retention: { ...defaultRetention, ...retention } }, stop, rowsAtOnce)

const countOf = async (table: string): Promise<number> =>
  (await db.raw('select count(*)::integer as count from ??', [table])).rows[0].count

let slot = 0
/** Maps each table to a function that inserts a row whose retention period starts at the given time. */
const add: Record<string, (at: Date) => Promise<unknown>> = {
  rejected_callbacks: at =>
    db.raw(
      `insert into rejected_callbacks (id, provider_account_id, slot, reason, headers, body, received_at)
       values (?, ?, ?, 'forged', '{}', '', ?)`,
      [newId(), accountId, slot++, at],
    ),
  refresh_tokens: at =>
    db.raw(
      `insert into refresh_tokens (token_hash, family_id, user_id, expires_at, spent_at) values (?, ?, ?, ?, now())`,
      [randomBytes(32), newId(), userId, at],
    ),
  password_resets: at =>
    db.raw('insert into password_resets (token_hash, user_id, expires_at) values (?, ?, ?)', [
      randomBytes(32),
      userId,
      at,
    ]),
  'graphile_worker._private_jobs': at =>
    db
      .raw(
        `with job as (select graphile_worker.add_job('send_password_reset', '{"email":"a@example.com"}', max_attempts := 1) as j)
       select from job`,
      )
      .then(() =>
        db.raw(
          `update graphile_worker._private_jobs set attempts = max_attempts, updated_at = ? where attempts < max_attempts`,
          [at],
        ),
      ),
  notices: at =>
    db.raw(
      `insert into notices (id, tenant_id, kind, subject, detail, since, seen_at, ended_at)
       values (:id, :tenantId, 'receiver_failing', '', '{}', :at, :at, :at)`,
      { id: newId(), tenantId, at },
    ),
  webhook_events: at => addEvent(at),
  session_keys: at =>
    db.raw(
      `insert into session_keys (id, key_hash, tenant_id, user_id, session_id, created_at, expires_at)
       values (:id, :hash, :tenantId, :userId, :id, :at, :at)`,
      { id: newId(), hash: randomBytes(32), tenantId, userId, at },
    ),
  management_requests: at =>
    db.raw(
      `insert into management_requests (tenant_id, user_id, key, request_hash, response_sealed, expires_at)
       values (:tenantId, :userId, :key, '', 'sealed', :at)`,
      { tenantId, userId, key: newId(), at },
    ),
  login_throttles: at =>
    db.raw(`insert into login_throttles (subject, lane, failures, last_at) values (?, 'newcomers', 1, ?)`, [
      randomBytes(32),
      at,
    ]),
}

async function addEvent(at: Date, status = 'delivered', ofTenant = tenantId): Promise<string> {
  const id = firstIdAt(at).slice(0, -12) + randomBytes(6).toString('hex')
  await db.raw(
    `insert into webhook_events (tenant_id, id, number, mode, type, body, status, next_attempt_at, created_at)
     values (?, ?, 1, 'live', 'webhook.test', '{}', ?, ?, ?)`,
    [ofTenant, id, status, status === 'pending' ? at : null, at],
  )
  return id
}

const cases: [table: string, setting: Partial<Retention>][] = [
  ['rejected_callbacks', { callbackDays: 90 }],
  ['refresh_tokens', { requestDays: 90, sessionDays: 90 }],
  ['password_resets', { sessionDays: 90 }],
  ['notices', { sessionDays: 90 }],
  ['graphile_worker._private_jobs', { sessionDays: 90 }],
  ['webhook_events', { eventDays: 90 }],
]
/**
 * The tables that the operator's retention periods do not affect. Their rows are kept until the session key or the
 * stored response has expired, or until a day after the last failed login.
 */
const byThemselves = ['session_keys', 'management_requests', 'login_throttles']
const addTo = (table: string, at: Date) => (add[table] as (at: Date) => Promise<unknown>)(at)

describe.each(cases)('retention of %s', (table, setting) => {
  test('all rows past their retention period are deleted, and no others, even if the deletion takes several steps', async () => {
    for (let n = 0; n < 5; n++) await addTo(table, daysAgo(91))
    await addTo(table, daysAgo(89))
    await drop(setting)
    expect(await countOf(table)).toBe(1)
    expect(errors).toEqual([])
  })

  test('a stopping process, or a process with a wrong clock, deletes no expired rows', async () => {
    await addTo(table, daysAgo(91))
    await drop(setting, { clock: () => daysAgo(700) })
    await drop(setting, { stop: AbortSignal.abort() })
    await addTo(table, daysAgo(1))
    await drop(
      { ...setting, sessionDays: 1_000, callbackDays: 1_000, eventDays: 1_000 },
      { clock: () => daysAgo(-9_000) },
    )
    expect(await countOf(table)).toBe(2)
  })

  test('several processes can delete expired rows from the same table at the same time without errors', async () => {
    for (let n = 0; n < 9; n++) await addTo(table, daysAgo(91))
    await Promise.all([drop(setting), drop(setting), drop(setting)])
    expect(await countOf(table)).toBe(0)
    expect(errors).toEqual([])
  })
})

test.each(byThemselves)(
  'rows of %s are deleted one day after they have expired, whatever retention periods are configured',
  async table => {
    for (let n = 0; n < 5; n++) await addTo(table, daysAgo(2))
    await addTo(table, daysAgo(-1))
    await drop({})
    expect(await countOf(table)).toBe(1)
  },
)

test('hourly counts of paid and unpaid payments are deleted after eight days', async () => {
  const hours = [9, 7].map(days => daysAgo(days))
  await db.raw(
    `insert into account_outcomes (hour, provider_account_id, paid, unpaid)
     select date_trunc('hour', at, 'UTC'), :accountId, 1, 1 from unnest(:hours::timestamptz[]) as ended (at)`,
    { accountId, hours: hours as never },
  )
  await drop({})
  expect(await countOf('account_outcomes')).toBe(1)
})

test("a provider account's previous credentials are deleted once they have expired", async () => {
  for (const ends of [daysAgo(1), daysAgo(-1)])
    await db.raw(
      `insert into previous_provider_credentials (id, provider_account_id, credentials_sealed, replaced_at, valid_until)
       values (?, ?, '', ?, ?)`,
      [newId(), accountId, daysAgo(2), ends],
    )
  await drop({})
  const { rows } = await db.raw('select valid_until > now() as valid from previous_provider_credentials')
  expect(rows).toEqual([{ valid: true }])
})

test('an old webhook queue entry is deleted if its webhook event no longer exists', async () => {
  const queue = (eventId: string) =>
    db.raw(
      `insert into webhook_queue (tenant_id, event_id, status, attempts_left, next_attempt_at)
       values (?, ?, 'pending', 1, now()) on conflict do nothing`,
      [tenantId, eventId],
    )
  const old = await addEvent(daysAgo(91), 'pending')
  await queue(old)
  await queue(firstIdAt(daysAgo(91)))
  // A recent queue entry is kept even if its event is missing, because the transaction that inserts the event may
  // not be committed yet.
  const young = firstIdAt(daysAgo(1))
  await queue(young)
  await drop({ eventDays: 90 })
  const { rows } = await db.raw('select event_id as id from webhook_queue where tenant_id = ? order by 1', [
    tenantId,
  ])
  expect(rows.map((row: { id: string }) => row.id)).toEqual([old, young])
})

test.each(['rejected_callbacks', 'webhook_events'])(
  'no row of %s is deleted if the operator has set no retention period',
  async table => {
    await addTo(table, daysAgo(4_000))
    await drop({})
    expect(await countOf(table)).toBe(1)
  },
)

test.each(['refresh_tokens', 'password_resets', 'graphile_worker._private_jobs'])(
  'rows of %s that ended a month ago are deleted even if the operator has set no retention period',
  async table => {
    await addTo(table, daysAgo(31))
    await addTo(table, daysAgo(29))
    await drop({})
    expect(await countOf(table)).toBe(1)
  },
)

test('a refresh token is kept until it expires, even after its use or the end of its session', async () => {
  await db.raw(
    `insert into refresh_tokens (token_hash, family_id, user_id, issued_at, expires_at, spent_at, revoked_at)
     values (?, ?, ?, now() - interval '1 year', now() + interval '1 minute', now() - interval '1 year', now() - interval '1 year')`,
    [randomBytes(32), newId(), userId],
  )
  await drop({ sessionDays: 1 })
  expect(await countOf('refresh_tokens')).toBe(1)
})

test('an old background job is not deleted if it is still running or has attempts left', async () => {
  await db.raw(`select graphile_worker.add_job('apply_callback', '{}', job_key := 'left')`)
  await db.raw(
    `select graphile_worker.add_job('apply_callback', '{}', max_attempts := 1, job_key := 'done now')`,
  )
  await db.raw(
    `update graphile_worker._private_jobs
     set updated_at = now() - interval '1 year', attempts = 1, locked_at = case key when 'done now' then now() end`,
  )
  await drop({})
  expect(await countOf('graphile_worker._private_jobs')).toBe(2)
})

test.each(['pending', 'permanently_failed', 'not_configured'])(
  'a webhook event with the status %s is never deleted, however old it is',
  async status => {
    const kept = [await addEvent(daysAgo(91), status), await addEvent(daysAgo(91), status)].sort()
    for (let n = 0; n < 3; n++) await addEvent(daysAgo(91))
    await drop({ eventDays: 90 })
    expect(
      (await db.raw('select id from webhook_events order by id')).rows.map(({ id }: { id: string }) => id),
    ).toEqual(kept)
  },
)

test('when a webhook event is deleted, its deliveries to additional endpoints are deleted too, regardless of their status', async () => {
  const old = await addEvent(daysAgo(91))
  const young = await addEvent(daysAgo(89))
  for (const eventId of [old, young])
    for (const status of ['pending', 'delivered', 'permanently_failed']) {
      const ids = { tenantId, eventId, endpointId: newId(), status }
      await db.raw(
        `insert into additional_deliveries (tenant_id, event_id, endpoint_id, status, next_attempt_at)
         values (:tenantId, :eventId, :endpointId, :status, case when :status = 'pending' then now() end)`,
        ids,
      )
      await db.raw(
        `insert into additional_attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms)
         values (:tenantId, :eventId, :endpointId, 1, now(), 1)`,
        ids,
      )
    }
  await drop({ eventDays: 90 })
  for (const table of ['additional_deliveries', 'additional_attempts'])
    expect((await db.raw('select distinct event_id as id from ??', [table])).rows).toEqual([{ id: young }])
})

test("all tenants' expired webhook events are deleted", async () => {
  for (let n = 0; n < 3; n++) await addEvent(daysAgo(91), 'delivered', await makeTenant(db))
  await drop({ eventDays: 90 })
  expect(await countOf('webhook_events')).toBe(0)
})

test('if the deletion fails in one table, expired rows in other tables are still deleted', async () => {
  await owner.raw('drop table rejected_callbacks')
  await addTo('webhook_events', daysAgo(91))
  await drop({ callbackDays: 90, eventDays: 90 })
  expect(errors.map(({ table }) => table)).toEqual(['rejected_callbacks'])
  expect(await countOf('webhook_events')).toBe(0)
})

test('data about money is never deleted, even after years and with the shortest retention periods', async () => {
  await shop(db, 3)
  await sealLedger({ db, log })
  await db.raw(`insert into audit_log (id, action) values (?, 'x')`, [newId()])
  await db.raw(
    `insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
     values ('r', ?, ?, ?, 'midtrans', now())`,
    [tenantId, newId(), accountId],
  )
  await db.raw(
    `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, amount, credited, paid_at, created_at)
     values (?, 'unknown_reference', 'midtrans', ?, 'live', 'r', '', 1, false, now(), now())`,
    [newId(), accountId],
  )
  await db.raw(
    `insert into settlements (id, provider_account_id, date, uploaded_at) values (?, ?, '2020-01-01', '2020-01-02')`,
    [newId(), accountId],
  )
  await addTo('refresh_tokens', daysAgo(-30))
  const money = [
    'payments',
    'payment_transitions',
    'payment_references',
    'balances',
    'ledger_entries',
    'ledger_seals',
    'unexpected_money',
    'settlements',
    'audit_log',
  ]
  const counts = async () => Promise.all(money.map(async table => [table, await countOf(table)]))
  const before = await counts()
  expect(
    before.every(([, count]) => Number(count) > 0),
    JSON.stringify(before),
  ).toBe(true)

  // A test cannot change PostgreSQL's clock. Instead, it replaces now() with a function in a schema that comes first in
  // the search path.
  await owner.raw('create schema later; grant usage on schema later to gapura')
  await owner.raw(
    `create function later.now() returns timestamptz language sql as $$ select pg_catalog.now() + interval '9 years' $$`,
  )
  await owner.raw(
    'alter function drop_log_partition(text, text) set search_path = later, public, pg_catalog, pg_temp',
  )
  await db.transaction(async tx => {
    await tx.raw('set local search_path = later, public, pg_catalog')
    const app = {
      db: tx as unknown as Db,
      clock: () => daysAgo(-3_000),
      log,
      retention: {
        callbackDays: 90,
        attemptDays: 90,
        eventDays: 90,
        requestDays: 90,
        sessionDays: 1,
        customerDays: undefined,
      },
    }
    await deleteExpired(app, goingOn)
    await maintainPartitions(app, goingOn)
  })
  expect(errors).toEqual([])
  // Proves that the clock was years ahead: all refresh tokens have expired and been deleted.
  expect(await countOf('refresh_tokens')).toBe(0)
  expect(await counts()).toEqual(before)
})
