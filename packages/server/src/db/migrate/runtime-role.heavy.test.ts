// Checks for every table and function in PostgreSQL's catalog what the service's database role is not allowed
// to do. What the role is allowed to do needs no check here, because all other tests run as this role.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { tenantWithAllRows } from '../../../test/support/tenant-with-all-rows.ts'
import { firstIdAt } from '../../values/id.ts'
import type { Tx } from '../db.ts'
import { writes } from './runtime-rights.ts'

const { db, owner } = await testDatabase()
await tenantWithAllRows(db)

type Table = { name: string; column: string; isPart: boolean; isOurs: boolean }
const { rows: tables }: { rows: Table[] } = await owner.raw(
  `select c.oid::regclass::text as name, c.relispartition as "isPart", c.relnamespace = 'public'::regnamespace as "isOurs",
     (select quote_ident(attname) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        and attidentity <> 'a' order by attnum limit 1) as column
   from pg_class c where c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and c.relkind in ('r', 'p')
   order by 1`,
)

const refused = '42501'

/** Runs a statement and rolls it back. Returns the SQLSTATE of its error, or 'done'. */
async function attempt(sql: string): Promise<string> {
  const undone = new Error('undone')
  let outcome = 'done'
  const work = async (tx: Tx) => {
    await tx.raw(sql).catch((error: { code: string }) => {
      outcome = error.code
    })
    throw undone
  }
  await expect(db.transaction(work)).rejects.toBe(undone)
  return outcome
}

/**
 * Runs the statements as the service's database role. Returns those that the database does not reject for
 * missing rights, each with its outcome.
 */
async function allowed(statements: string[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const sql of statements) {
    const outcome = await attempt(sql)
    if (outcome !== refused) outcomes.push(`${outcome}: ${sql}`)
  }
  return outcomes
}

test('the tests use a database role that owns no object and is not a superuser', async () => {
  const { rows } = await db.raw(
    `select current_user as role, rolsuper as super, rolcreaterole as roles, rolcreatedb as databases, rolbypassrls as bypass,
       (select count(*)::integer from pg_shdepend, (select oid from pg_database where datname = current_database()) this
        where refobjid = r.oid and deptype = 'o' and this.oid in (dbid, objid)) as owned
     from pg_roles r where rolname = current_user`,
  )
  expect(rows).toEqual([
    { role: 'gapura', super: false, roles: false, databases: false, bypass: false, owned: 0 },
  ])
})

test("runtime-rights.ts, the list of the service's rights in the database, contains every table", () => {
  const ours = tables.filter(({ isOurs, isPart }) => isOurs && !isPart)
  expect(ours.map(({ name }) => name)).toEqual(Object.keys(writes).sort())
})

describe('the service’s database role can only read and write rows', () => {
  test.each(tables)(
    "[M23] the service's database role cannot alter or truncate $name",
    async ({ name, column }) => {
      expect(
        await allowed([
          `alter table ${name} add column intruder text`,
          `alter table ${name} drop column ${column}`,
          `alter table ${name} rename to intruder`,
          `alter table ${name} disable trigger all`,
          `alter table ${name} disable trigger user`,
          `alter table ${name} disable row level security`,
          `alter table ${name} owner to gapura`,
          `create trigger intruder before insert on ${name} for each row execute function refuse_change()`,
          `create index on ${name} (${column})`,
          `create policy intruder on ${name} using (true)`,
          `drop table ${name} cascade`,
          `truncate ${name} cascade`,
          `comment on table ${name} is 'intruder'`,
        ]),
      ).toEqual([])
    },
  )

  test("[M23] the service's database role cannot disable a trigger or replace its function", async () => {
    const { rows } = await owner.raw(
      `select t.tgname as trigger, t.tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not tgisinternal and c.relnamespace = 'public'::regnamespace`,
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(
      await allowed(
        rows.flatMap(({ trigger, table }: { trigger: string; table: string }) => [
          `alter table ${table} disable trigger ${trigger}`,
          `drop trigger ${trigger} on ${table}`,
        ]),
      ),
    ).toEqual([])
    expect(await allowed([`set local session_replication_role = replica`])).toEqual([])
  })

  test("[M23] the service's database role cannot update or delete rows in append-only tables", async () => {
    const { rows } = await owner.raw<{ rows: { table: string; events: string }[] }>(
      `select tgrelid::regclass::text as table, pg_get_triggerdef(oid) as events from pg_trigger
       where tgfoid = 'refuse_change'::regproc and tgqual is null and pg_get_triggerdef(oid) ~ 'BEFORE (DELETE|UPDATE)'
       order by 1`,
    )
    expect(rows.map(({ table }) => table)).toEqual(
      expect.arrayContaining([
        'audit_log',
        'ledger_entries',
        'ledger_seals',
        'ledger_statements',
        'payments',
      ]),
    )
    const columnOf = (table: string) => tables.find(({ name }) => name === table)?.column
    expect(
      await allowed(
        rows.flatMap(({ table, events }) => [
          ...(events.includes('DELETE') ? [`delete from ${table}`] : []),
          ...(events.includes('UPDATE')
            ? [`update ${table} set ${columnOf(table)} = ${columnOf(table)}`]
            : []),
        ]),
      ),
    ).toEqual([])
    // No trigger rejects updates to the tables listed below. They are protected only because the service's
    // database role has no right to update them.
    const logs = ['payment_transitions', 'webhook_attempts', 'webhook_events']
    expect(
      await allowed(logs.map(table => `update ${table} set ${columnOf(table)} = ${columnOf(table)}`)),
    ).toEqual([])
    expect(await allowed(['delete from payment_transitions', 'delete from provider_callbacks'])).toEqual([])
  })

  test.each(['gapura', 'gapura_tenant'])(
    'the database role %s of the service cannot change the payment columns that describe the order, such as the amount',
    async role => {
      const { rows } = await owner.raw<{ rows: { name: string; may: boolean }[] }>(
        `select attname as name, has_column_privilege(?, attrelid, attnum, 'update') as may from pg_attribute
       where attrelid = 'payments'::regclass and attnum > 0 and not attisdropped order by 1`,
        [role],
      )
      const fixed = rows.filter(({ may }) => !may).map(({ name }) => name)
      expect(fixed).toEqual([
        'amount',
        'amount_refunded',
        'amount_reversed',
        'channel',
        'created_at',
        'currency',
        'customer_email',
        'customer_erased_at',
        'customer_ip',
        'customer_name',
        'customer_phone',
        'expiry_minutes',
        'fee_terms',
        'fingerprint',
        'fingerprint_version',
        'id',
        'idempotency_key',
        'items',
        'method_detail',
        'method_type',
        'mode',
        'payment_code',
        'return_url',
        'tenant_id',
      ])
      const become = `set local role ${role}`
      expect(
        await allowed(
          fixed.map(column => `${become}; update payments set ${column} = ${column} where false`),
        ),
      ).toEqual([])
      expect(await attempt(`${become}; update payments set status = status where false`)).toBe('done')
    },
  )

  test.each(tables)(
    "the service's database role cannot grant itself or other roles any right to $name",
    async ({ name }) => {
      // If a role tries to grant a right that it may not grant, PostgreSQL only warns and does not fail. The
      // test therefore compares the rights before and after the grants.
      const before = await rightsTo(name)
      await attemptForGood(`grant all on ${name} to public`)
      await attemptForGood(`grant update, delete, truncate, trigger on ${name} to gapura`)
      expect(await rightsTo(name)).toEqual(before)
    },
  )

  test("the service's database role cannot write directly to a log's partition", async () => {
    const parts = tables.filter(({ isPart }) => isPart).map(({ name }) => name)
    expect(parts.length).toBeGreaterThanOrEqual(4)
    expect(await allowed(parts.flatMap(name => [`delete from ${name}`, `truncate ${name}`]))).toEqual([])
  })

  test("the service's database role cannot create objects, and can switch only to the role gapura_tenant", async () => {
    expect(
      await allowed([
        'create table intruder (a int)',
        'create table graphile_worker.intruder (a int)',
        'create temporary table intruder (a int)',
        'create view intruder as select 1',
        'create sequence intruder',
        'create function intruder() returns int language sql as $$ select 1 $$',
        'create schema intruder',
        'create extension pgcrypto',
        'create role intruder',
        'create type intruder as enum ()',
        'drop schema graphile_worker cascade',
        'drop function refuse_change() cascade',
        'alter function refuse_change() rename to intruder',
        `create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$`,
        'alter role gapura superuser',
        'alter role gapura bypassrls',
        'alter role gapura_owner nologin',
        'grant gapura_owner to gapura',
        'grant gapura_tenant to pg_monitor',
        'set role gapura_owner',
        'set role postgres',
        'set session authorization gapura_owner',
        'reassign owned by gapura_owner to gapura',
        'drop owned by gapura_owner',
        'set local role gapura_tenant; set local role gapura_owner',
      ]),
    ).toEqual([])
    expect(await attempt('set local role gapura_tenant')).toBe('done')
  })

  test("only trigger functions and the listed SQL functions run with their owner's rights", async () => {
    const { rows } = await db.raw(
      `select proname as name, has_function_privilege('gapura_tenant', oid, 'execute') as callers,
         has_function_privilege('pg_read_all_data', oid, 'execute') as anybody, proconfig::text ~ 'search_path=.*pg_temp' as pinned
       from pg_proc
       -- PostgreSQL calls a trigger function only for its trigger.
       where prosecdef and pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype order by 1`,
    )
    const known = { anybody: false, pinned: true }
    expect(rows).toEqual([
      { name: 'complete_books', callers: false, ...known },
      { name: 'drop_log_partition', callers: false, ...known },
      { name: 'enqueue', callers: true, ...known },
      { name: 'erase_customers', callers: true, ...known },
      { name: 'find_customers', callers: true, ...known },
      { name: 'find_oldest_payments', callers: true, ...known },
      { name: 'find_payments', callers: true, ...known },
      { name: 'invitations_of_partner', callers: true, ...known },
      { name: 'make_log_partition', callers: false, ...known },
      { name: 'merge_search_index', callers: false, ...known },
      { name: 'search_payments', callers: true, ...known },
    ])
  })

  test("the service's database role can drop only a log's oldest partition after the minimum retention period", async () => {
    const failed = '22023'
    const month = new Date(Date.now() - 80 * 86_400_000)
    await owner.raw('drop table provider_callbacks_first')
    await owner.raw(
      `create table provider_callbacks_first partition of provider_callbacks for values from (minvalue) to ('${firstIdAt(month)}')`,
    )
    const outcomes = [
      `drop_log_partition('provider_callbacks', 'provider_callbacks_first')`,
      `drop_log_partition('provider_callbacks', 'provider_callbacks_default')`,
      `drop_log_partition('provider_callbacks', 'payments')`,
      `drop_log_partition('payments', 'payments')`,
      `drop_log_partition('ledger_entries; drop table payments', 'x')`,
      `make_log_partition('payments')`,
    ].map(call => attempt(`select ${call}`))
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => failed))
  })
})

const rightsTo = async (name: string) =>
  (await owner.raw('select relacl::text from pg_class where oid = ?::regclass', [name])).rows
const attemptForGood = (sql: string) => db.raw(sql).catch(() => {})
