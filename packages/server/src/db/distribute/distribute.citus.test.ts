// Distributes a new database across a Citus cluster, which consists of several PostgreSQL servers (nodes). One of
// them is the coordinator (test/support/citus-cluster.ts).

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type CitusDatabase,
  citusDatabase,
  coordinator,
  runOn as on,
} from '../../../test/support/citus-cluster.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { makePayment, now } from '../../../test/support/make-payment.ts'
import {
  endpointSql,
  entriesSql,
  eventSql,
  sealsSql,
  transfersSql,
} from '../../../test/support/trigger-statements.ts'
import { insertPaymentInBatch, updatePayments } from '../../payments/payment.sql.ts'
import { newId } from '../../values/id.ts'
import { insertEvents } from '../../webhooks/event.sql.ts'
import { createDb, type Db } from '../db.ts'
import { placements } from '../placement.ts'
import { preparedStatement } from '../prepared-statement.ts'
import { inScope, scopeOfTenant, withTenantInScope } from '../tenant-scope.ts'
import { distribute } from './distribute.ts'

describe.skipIf(!coordinator)("the distribute command moves the service's tables to a Citus cluster", () => {
  let cluster: CitusDatabase
  let url: string

  beforeAll(async () => {
    cluster = await citusDatabase()
    url = cluster.url
  }, 120_000)
  afterAll(() => cluster.drop())

  test('the command distribute (which moves tables to Citus) fails if gapura_tenant cannot log in to a worker', async () => {
    const { nodes, urlOf } = cluster
    const worker = nodes.find(({ isCoordinator }) => !isCoordinator) as (typeof nodes)[number]
    await on(urlOf(worker, 'postgres'), 'alter role gapura_tenant nologin')
    await expect(distribute(cluster.ownerUrl, { dryRun: true, say: () => {} })).rejects.toThrow(
      `on every node, run: alter role gapura_tenant login (${worker.host}:${worker.port}: `,
    )
    await on(urlOf(worker, 'postgres'), 'alter role gapura_tenant login')
  })

  test('the `distribute` command moves each table to its declared nodes and can be resumed after an interruption', async () => {
    const said: string[] = []
    const interrupted = new Error('interrupted')
    const say = (line: string) => {
      if (said.push(line) === 4) throw interrupted
    }
    await expect(distribute(cluster.ownerUrl, { dryRun: false, say })).rejects.toBe(interrupted)
    const steps = Number(/of (\d+)/.exec(said[0] as string)?.[1])
    expect(await distribute(cluster.ownerUrl, { dryRun: false, say: () => {} })).toBe(steps - 3)
    expect(await distribute(cluster.ownerUrl, { dryRun: false, say: () => {} })).toBe(0)
    const moved = await on<{ table: string; kind: string }>(
      url,
      `select table_name::text as table, citus_table_type as kind from citus_tables
       where citus_table_type in ('distributed', 'reference') and table_name not in (select inhrelid from pg_inherits)`,
    )
    expect(Object.fromEntries(moved.map(({ table, kind }) => [table, kind]))).toEqual(
      Object.fromEntries(
        Object.entries(placements)
          .filter(([, { kind }]) => kind !== 'local')
          .map(([table, { kind }]) => [table, kind === 'sharded' ? 'distributed' : 'reference']),
      ),
    )
  }, 300_000)

  test('the distribute command also moves tables that a later migration has added', async () => {
    const id = newId()
    await on(
      url,
      `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, amount, credited,
         paid_at, created_at)
       values ('${id}', 'unknown_reference', 'midtrans', '${id}', 'live', 'unknown', '', 5, false, now(), now())`,
    )
    await on(
      cluster.ownerUrl,
      `create table made_up (
         tenant_id uuid not null, id uuid not null, payment_id uuid,
         primary key (tenant_id, id), foreign key (tenant_id, payment_id) references payments (tenant_id, id))`,
      `create table made_up_money (tenant_id uuid, money_id uuid references unexpected_money (id))`,
      'create table made_up_everywhere (id uuid primary key)',
      `insert into made_up values ('${id}', '${id}')`,
      `insert into made_up_money values ('${id}', '${id}')`,
    )
    const declared = {
      ...placements,
      made_up: { kind: 'sharded', column: 'tenant_id' },
      made_up_money: { kind: 'sharded', column: 'tenant_id' },
      made_up_everywhere: { kind: 'reference' },
    } as const
    const run = () => distribute(cluster.ownerUrl, { dryRun: false, say: () => {}, declared })
    expect(await run()).toBe(3)
    expect(await run()).toBe(0)
    expect(
      await on(
        url,
        `select table_name::text as name, citus_table_type as type from citus_tables
         where table_name::text like 'made_up%' order by 1`,
      ),
    ).toEqual([
      { name: 'made_up', type: 'distributed' },
      { name: 'made_up_everywhere', type: 'reference' },
      { name: 'made_up_money', type: 'distributed' },
    ])
    expect(await on(url, 'select id from made_up')).toEqual([{ id }])
    expect(await on(url, 'select money_id as id from made_up_money')).toEqual([{ id }])
    for (const inserted of [
      `made_up values ('${id}', '${newId()}', '${id}')`,
      `made_up_money values ('${id}', '${newId()}')`,
    ])
      await expect(on(url, `insert into ${inserted}`)).rejects.toThrow('violates foreign key constraint')
    const shards = await on<{ id: string; type: string }>(
      url,
      `select distinct colocation_id as id from citus_tables where table_name::text in ('made_up', 'made_up_money', 'payments')`,
    )
    expect(shards).toHaveLength(1)
  }, 120_000)

  test("the distribute command replaces an earlier release's SQL functions on every node", async () => {
    await on(
      cluster.ownerUrl,
      `create or replace function query_shards(tables text[], query text) returns jsonb
       language sql as $$ select '["of an earlier release"]'::jsonb $$`,
    )
    const everywhere = `select result from run_command_on_all_nodes(
      $$ select query_shards('{payments}', 'select 1 from payments') $$)`
    const earlier = { result: '["of an earlier release"]' }
    expect(await on(url, everywhere)).toEqual(cluster.nodes.map(() => earlier))
    const run = () => distribute(cluster.ownerUrl, { dryRun: false, say: () => {} })
    expect(await run()).toBe(1)
    expect(await on(url, everywhere)).toEqual(cluster.nodes.map(() => ({ result: '[]' })))
    expect(await run()).toBe(0)
  }, 120_000)

  test('on a distributed database, a nonzero balance without a ledger entry fails at commit', async () => {
    const [one, other] = [newId(), newId()]
    const insert = (id: string, balance: number) =>
      on(
        url,
        'begin',
        `insert into balances (tenant_id, mode, balance) values ('${id}', 'live', ${balance})`,
        'commit',
      )
    await insert(one, 0)
    await expect(insert(other, 1)).rejects.toThrow('could not commit transaction')
    const rows = await on<{ id: string }>(url, 'select tenant_id as id from balances')
    expect(rows).toEqual([{ id: one }])
  })

  test("on a Citus cluster, inserting ledger entries and transfers updates the tenants' balances and accounts", async () => {
    const [one, other] = [newId(), newId()]
    for (const id of [one, other])
      await on(url, `insert into balances (tenant_id, mode) values ('${id}', 'live')`)
    await on(
      url,
      entriesSql([
        [one, 1, 10, 10],
        [one, 2, -3, 7],
        [other, 1, 5, 5],
      ]),
    )
    await on(url, entriesSql([[one, 3, 1, 8]]))
    await on(url, transfersSql([[one, 2]]))
    await on(url, sealsSql([[one, 1, 3, '', '11'.repeat(32)]]))
    const of = `where tenant_id in ('${one}', '${other}')`
    expect(
      await on(url, `select tenant_id as id, version, balance from balances ${of} order by tenant_id`),
    ).toEqual([
      { id: one, version: '3', balance: '8' },
      { id: other, version: '1', balance: '5' },
    ])
    expect(
      await on(
        url,
        `select tenant_id as id, balance from book_accounts ${of} order by tenant_id, account_id`,
      ),
    ).toEqual([
      { id: one, balance: '-10' },
      { id: one, balance: '2' },
      { id: other, balance: '-5' },
    ])
  })

  test("on a distributed database, an event is queued for each of the tenant's enabled additional webhook endpoints", async () => {
    const pool = createDb(url, { max: 1 })
    onTestFinished(() => pool.destroy())
    const [one, other] = [await makeTenant(pool), await makeTenant(pool)]
    for (const statement of [
      endpointSql(one, 1),
      endpointSql(one, 2, { enabled: false }),
      endpointSql(other, 1),
    ])
      await on(url, statement)
    await on(url, eventSql(one))
    const rows = await on<{ id: string }>(
      url,
      `select tenant_id as id from additional_deliveries where tenant_id in ('${one}', '${other}')`,
    )
    expect(rows).toEqual([{ id: one }])
  })

  test('on a Citus cluster, the database rejects tampering with ledger entries, balances, accounts and seals (hashes of entries)', async () => {
    const id = newId()
    await on(url, `insert into balances (tenant_id, mode) values ('${id}', 'live')`)
    await on(url, entriesSql([[id, 1, 10, 10]]))
    await on(url, transfersSql([[id, 2]]))
    await on(url, sealsSql([[id, 1, 1, '', '11'.repeat(32)]]))
    const attacks: [statement: string, reason: string][] = [
      [entriesSql([[id, 2, 10, 21]]), 'does not follow the one before it'],
      [entriesSql([[id, 3, 10, 20]]), 'does not follow the one before it'],
      [entriesSql([[id, 1, 10, 10]]), 'duplicate key value'],
      [entriesSql([[newId(), 1, 10, 10]]), 'an entry has no balance'],
      [sealsSql([[id, 2, 2, '11'.repeat(32), '22'.repeat(32)]]), 'does not follow the one before it'],
      [
        `update balances set balance = balance + 1 where tenant_id = '${id}'`,
        'is not what its last entry says',
      ],
      [`update book_accounts set balance = 0 where tenant_id = '${id}'`, 'changes only with a transfer'],
      [`update ledger_entries set reason = 'other' where tenant_id = '${id}'`, 'the ledger is append-only'],
      [`delete from ledger_entries where tenant_id = '${id}'`, 'the ledger is append-only'],
      ['truncate ledger_entries', 'the ledger is append-only'],
      [`delete from book_transfers where tenant_id = '${id}'`, 'the book is append-only'],
      [`delete from ledger_seals where tenant_id = '${id}'`, 'seals are append-only'],
    ]
    for (const [statement, reason] of attacks) await expect(on(url, statement)).rejects.toThrow(reason)
  })

  test('on a cluster, a payment can be inserted, updated and indexed in the scope of one tenant', async () => {
    const pool = createDb(url, { max: 1 })
    onTestFinished(() => pool.destroy())
    const tenantId = await makeTenant(pool)
    const payment = makePayment({ tenantId })
    const { id: paymentId } = payment
    const before = { ...payment, status: 'charging', transitionCount: 0 } as const
    await inScope(scopeOfTenant(tenantId), async () => {
      await insertPaymentInBatch(pool, before)
      await pool.transaction(async tx => {
        const moved = { from: 'charging', to: 'pending', cause: 'create', detail: null } as const
        await updatePayments(
          tx,
          [{ before, payment }],
          [{ tenantId, paymentId, number: 1, at: now, ...moved }],
        )
        const event = {
          id: newId(),
          number: 1,
          mode: 'live',
          type: 'payment.challenged',
          body: '{}',
        } as const
        await insertEvents(tx, [{ tenantId, paymentId, createdAt: now, ...event }])
      })
    })
    const rows = await on(
      url,
      `select p.status, t.to_status as moved, length(s.words) > 0 as searchable, e.type as event
       from payments p
       join payment_transitions t on t.tenant_id = p.tenant_id and t.payment_id = p.id
       join payment_search s on s.tenant_id = p.tenant_id and s.payment_id = p.id
       join webhook_events e on e.tenant_id = p.tenant_id and e.payment_id = p.id
       where p.tenant_id = '${tenantId}'`,
    )
    expect(rows).toEqual([
      { status: 'pending', moved: 'pending', searchable: true, event: 'payment.challenged' },
    ])
  })

  test("on distributed tables, a statement that is restricted to some tenants (its scope) reads only these tenants' rows", async () => {
    const [one, other, added] = [newId(), newId(), newId()]
    for (const id of [one, other, added])
      await on(url, `insert into balances (tenant_id, mode) values ('${id}', 'live')`)
    const pool = createDb(url, { max: 1 })
    onTestFinished(() => pool.destroy())
    const select = preparedStatement<{ id: string }>(
      'select tenant_id as id from balances order by tenant_id',
    )
    const idsOf = async (db: Db) => (await select(db, {})).map(({ id }) => id)
    await inScope(scopeOfTenant(one), async () => {
      for (let times = 0; times < 2; times++) expect(await idsOf(pool)).toEqual([one])
      await pool.transaction(async tx => {
        expect(await idsOf(tx)).toEqual([one])
        await withTenantInScope(added, () =>
          tx.transaction(async savepoint => expect(await idsOf(savepoint)).toEqual([one, added])),
        )
      })
    })
    expect(await idsOf(pool)).toContain(other)
  })
})
