// Checks on every table that the database isolates tenants even if a statement omits its tenant condition.

import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../test/support/make.ts'
import { tenantWithAllRows } from '../../test/support/tenant-with-all-rows.ts'
import type { Tx } from './db.ts'
import { inScope, scopeOfTenant, type TenantScope } from './tenant-scope.ts'

const { db, owner } = await testDatabase()

/** The tables with a tenant column, from PostgreSQL's catalog. Each partition is a table of its own. */
const { rows: tables }: { rows: { table: string; column: string; isPart: boolean }[] } = await db.raw(
  `select c.relname as table, a.attname as column, c.relispartition as "isPart" from pg_class c join pg_attribute a on a.attrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
     and (a.attname = 'tenant_id' or c.relname = 'tenants' and a.attname = 'id')
   order by c.relname`,
)

let mine: string
let theirs: string
beforeAll(async () => {
  ;[mine, theirs] = [await tenantWithAllRows(db), await tenantWithAllRows(db)]
})

const refused = '42501'

/**
 * Runs a statement and rolls it back. Returns the number of rows affected, or 'refused'. Without a scope, only the
 * tenant role is set.
 */
async function attempt(
  scope: TenantScope | undefined,
  sql: string,
  values: readonly unknown[] = [],
): Promise<number | string> {
  let outcome: number | string = 'nothing'
  const undone = new Error('undone')
  const work = async (tx: Tx) => {
    if (scope === undefined) await tx.raw('set local role gapura_tenant')
    try {
      outcome = (await tx.raw(sql, values as string[])).rowCount
    } catch (error) {
      const { code } = error as { code?: string }
      outcome = code === refused ? 'refused' : `failed: ${error}`
    }
    throw undone
  }
  await expect(inScope(scope, () => db.transaction(work))).rejects.toBe(undone)
  return outcome
}
const noTenants: TenantScope = { tenants: [], partners: [] }
const nothing = [0, 'refused']

/** Returns a column that the role may update, if there is one. */
async function changeable(table: string): Promise<string | undefined> {
  const { rows } = await db.raw(
    `select attname as column from pg_attribute where attrelid = ?::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and has_column_privilege('gapura_tenant', attrelid, attnum, 'update') limit 1`,
    [table],
  )
  return rows[0]?.column
}

test('every table with a tenant column is found, and contains rows of both test tenants', async () => {
  expect(tables.length).toBeGreaterThan(15)
  for (const { table, column } of tables.filter(({ isPart }) => !isPart))
    for (const tenant of [mine, theirs]) {
      const { rows } = await db.raw('select count(*) from ?? where ?? = ?', [table, column, tenant])
      expect([table, rows[0].count > 0n]).toEqual([table, true])
    }
})

describe.each(tables)('row security of $table', ({ table, column }) => {
  test('hides another tenant’s rows from reads, updates and deletes', async () => {
    const scope = scopeOfTenant(mine)
    const where = [table, column, theirs]
    expect(nothing).toContain(await attempt(scope, 'select ?? from ?? where ?? = ?', [column, ...where]))
    const into = (await changeable(table)) ?? column
    expect(nothing).toContain(
      await attempt(scope, 'update ?? set ?? = ?? where ?? = ?', [table, into, into, column, theirs]),
    )
    expect(nothing).toContain(await attempt(scope, 'delete from ?? where ?? = ?', where))
  })

  test('prevents rows from being added for or moved to another tenant', async () => {
    const { rows } = await owner.raw('select to_jsonb(t) as row from ?? t where ?? = ? limit 1', [
      table,
      column,
      theirs,
    ])
    const { rows: columns } = await db.raw(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
       where attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const { names } = columns[0]
    const insert = `insert into "${table}" (${names}) select ${names} from jsonb_populate_record(null::"${table}", ?)`
    expect(
      await attempt(scopeOfTenant(mine), insert, [JSON.stringify(rows[0]?.row ?? { [column]: theirs })]),
    ).toBe('refused')
    // In some tables, a trigger or constraint rejects the update earlier.
    expect(
      await attempt(scopeOfTenant(mine), 'update ?? set ?? = ? where ?? = ?', [
        table,
        column,
        theirs,
        column,
        mine,
      ]),
    ).toMatch(/^refused$|is fixed|only ends|stays so/)
  })

  test('hides every row if no tenant scope is set', async () => {
    expect(nothing).toContain(await attempt(noTenants, 'select ?? from ??', [column, table]))
    expect(nothing).toContain(await attempt(undefined, 'select ?? from ??', [column, table]))
  })

  test('shows a tenant its own rows if any right to the table was granted', async () => {
    const { rows } = await db.raw(
      `select has_any_column_privilege('gapura_tenant', ?::regclass, 'select') as may`,
      [table],
    )
    const seen = await attempt(scopeOfTenant(mine), 'select ?? from ??', [column, table])
    if (rows[0].may) expect(seen).toBeGreaterThan(0)
    else expect(seen).toBe('refused')
  })
})

test('the scope of a partner contains itself and its current clients', async () => {
  const partner = await makeTenant(db, { role: 'partner' })
  const client = await makeTenant(db, { parentId: partner, status: 'suspended' })
  const scope = { tenants: [], partners: [partner] }
  const seen = () =>
    inScope(scope, async () =>
      (await db.raw('select id from tenants order by id')).rows.map((row: { id: string }) => row.id),
    )
  expect(await seen()).toEqual([partner, client])
  const another = await makeTenant(db, { parentId: partner })
  expect(await seen()).toEqual([partner, client, another])
})

test('another role to which a table was granted can still read the table', async () => {
  const payment = await insertPendingPayment(db)
  const seen = owner.transaction(async tx => {
    await tx.raw('grant select on payments to pg_read_all_stats; set local role pg_read_all_stats')
    return (await tx.raw('select id from payments where id = ?', [payment.id])).rows
  })
  expect(await seen).toEqual([{ id: payment.id }])
})

describe('customer search', () => {
  const find = (scope: TenantScope | undefined, tenantId: string, prefix: string) =>
    inScope(scope, async () => {
      const { rows } = await db.raw('select id from find_customers(?, ?, 10) as id', [tenantId, prefix])
      return rows.map(({ id }: { id: string }) => id)
    })

  test('finds customers only within the tenant scope, but all of them for the service', async () => {
    const { id, tenantId } = await insertPendingPayment(db, { customerName: 'Zainab' })
    expect(await find(scopeOfTenant(tenantId), tenantId, 'zai%')).toEqual([id])
    expect(await find(undefined, tenantId, 'zai%')).toEqual([id])
    expect(await find(scopeOfTenant(mine), tenantId, 'zai%')).toEqual([])
    expect(await find(noTenants, tenantId, 'zai%')).toEqual([])
  })

  test('uses its index and reads only the payments that it finds', async () => {
    const { tenantId } = await insertPendingPayment(db, { customerName: 'Zulkifli' })
    for (let others = 0; others < 10; others++) await insertPendingPayment(db, { tenantId })
    const fetched = await inScope(scopeOfTenant(tenantId), () =>
      db.transaction(async tx => {
        await tx.raw('set local enable_seqscan = off; set local enable_bitmapscan = off')
        // PostgreSQL's counters include the earlier work of the connection, so the test compares them before and after
        // the read.
        const soFar = async (): Promise<number> => {
          const { rows } = await tx.raw(
            `select sum(pg_stat_get_xact_tuples_fetched(indexrelid))::integer as count from pg_index
             where indrelid = 'payments'::regclass`,
          )
          return rows[0].count
        }
        const before = await soFar()
        await tx.raw('select id from find_customers(?, ?, 10) as id', [tenantId, 'zul%'])
        return (await soFar()) - before
      }),
    )
    expect(fetched).toBe(1)
  })
})
