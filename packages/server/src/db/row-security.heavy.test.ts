// Checks for every table that the database keeps the rows of different tenants apart, even if a statement has
// no condition on the tenant.

import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../test/support/make.ts'
import { tenantWithAllRows } from '../../test/support/tenant-with-all-rows.ts'
import { newId } from '../values/id.ts'
import type { Tx } from './db.ts'
import { inScope, scopeOfTenant, type TenantScope } from './tenant-scope.ts'

const { db, owner } = await testDatabase()

/** The tables with a tenant column, from PostgreSQL's catalog. Each partition counts as a separate table. */
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
 * Runs a statement as the tenant role, which sees only the rows in the scope, and rolls the statement back. Without a
 * scope, the database setting gapura.tenants has the value `setting`, if given. Returns the number of affected rows, or
 * 'refused' if PostgreSQL rejects the statement.
 */
async function attempt(
  scope: TenantScope | undefined,
  sql: string,
  values: readonly unknown[] = [],
  setting?: string,
): Promise<number | string> {
  let outcome: number | string = 'nothing'
  const undone = new Error('undone')
  const work = async (tx: Tx) => {
    if (setting !== undefined) await tx.raw("select set_config('gapura.tenants', ?, true)", [setting])
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

/**
 * Returns the name of a column that the tenant role may update, or undefined if the table has no such
 * column.
 */
async function changeable(table: string): Promise<string | undefined> {
  const { rows } = await db.raw(
    `select attname as column from pg_attribute where attrelid = ?::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and has_column_privilege('gapura_tenant', attrelid, attnum, 'update') limit 1`,
    [table],
  )
  return rows[0]?.column
}

test('the row-level security tests cover every table with a tenant column', async () => {
  expect(tables.length).toBeGreaterThan(15)
  for (const { table, column } of tables.filter(({ isPart }) => !isPart))
    for (const tenant of [mine, theirs]) {
      const { rows } = await db.raw('select count(*) from ?? where ?? = ?', [table, column, tenant])
      expect([table, rows[0].count > 0n]).toEqual([table, true])
    }
})

describe.each(tables)('row security of $table', ({ table, column }) => {
  test('row-level security hides another tenant’s rows from reads, updates and deletes', async () => {
    const scope = scopeOfTenant(mine)
    const where = [table, column, theirs]
    expect(nothing).toContain(await attempt(scope, 'select ?? from ?? where ?? = ?', [column, ...where]))
    const into = (await changeable(table)) ?? column
    expect(nothing).toContain(
      await attempt(scope, 'update ?? set ?? = ?? where ?? = ?', [table, into, into, column, theirs]),
    )
    expect(nothing).toContain(await attempt(scope, 'delete from ?? where ?? = ?', where))
  })

  test('row-level security prevents a tenant from adding rows for another tenant or moving rows to another tenant', async () => {
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
    // In some tables, a trigger or a constraint rejects the update before row-level security can reject it.
    // The test therefore accepts the error of the trigger or constraint, too.
    expect(
      await attempt(scopeOfTenant(mine), 'update ?? set ?? = ? where ?? = ?', [
        table,
        column,
        theirs,
        column,
        mine,
      ]),
    ).toMatch(/^refused$|(is|are) fixed|only ends|stays so/)
  })

  test('row-level security hides every row if no tenant scope is set', async () => {
    expect(nothing).toContain(await attempt(noTenants, 'select ?? from ??', [column, table]))
    expect(nothing).toContain(await attempt(undefined, 'select ?? from ??', [column, table]))
  })

  test.each([
    ['is empty', () => ''],
    ['has no list', () => '{'],
    ['is a pattern', () => '%'],
    ['has a truncated id', () => `{${mine.slice(0, -1)}}`],
    ['has an id that a comma splits', () => `{${mine.slice(0, 18)},${mine.slice(18)}}`],
  ])(
    'if the setting gapura.tenants, the list of visible tenants, %s, row-level security hides every row',
    async (_, setting) => {
      const seen = await attempt(undefined, 'select ?? from ??', [column, table], setting())
      expect(nothing).toContain(seen)
    },
  )

  test('row-level security shows a tenant its own rows in each table that the tenant role may read', async () => {
    const { rows } = await db.raw(
      `select has_any_column_privilege('gapura_tenant', ?::regclass, 'select') as may`,
      [table],
    )
    const seen = await attempt(scopeOfTenant(mine), 'select ?? from ??', [column, table])
    if (rows[0].may) expect(seen).toBeGreaterThan(0)
    else expect(seen).toBe('refused')
  })
})

test("a partner's tenant scope contains the partner and the clients it currently manages", async () => {
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

test('row-level security restricts only the tenant role, not other database roles that may read the table', async () => {
  const payment = await insertPendingPayment(db)
  const seen = owner.transaction(async tx => {
    await tx.raw('grant select on payments to pg_read_all_stats; set local role pg_read_all_stats')
    return (await tx.raw('select id from payments where id = ?', [payment.id])).rows
  })
  expect(await seen).toEqual([{ id: payment.id }])
})

describe('payment search', () => {
  const find = (call: string, scope: TenantScope | undefined, tenantId: string, word: string) =>
    inScope(scope, async () => {
      const query = `'${tenantId.slice(-4)}${word}':*`
      const { rows } = await db.raw(`select id from ${call} as id`, { tenantId, query })
      return rows.map(({ id }: { id: string }) => id)
    })

  test.each([
    `find_payments(:tenantId, :query::tsquery, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`,
    `find_oldest_payments(:tenantId, :query::tsquery, '00000000-0000-0000-0000-000000000000', 10)`,
    `search_payments(:tenantId, :query::tsquery, '00000000-0000-0000-0000-000000000000',
       'ffffffff-ffff-ffff-ffff-ffffffffffff', true, 10)`,
  ])(
    "payment search finds only the payments of tenants in the statement's tenant scope, or all payments if the statement has no scope: %s",
    async call => {
      const { id, tenantId } = await insertPendingPayment(db, { customerName: 'Zainab' })
      expect(await find(call, scopeOfTenant(tenantId), tenantId, 'zai')).toEqual([id])
      expect(await find(call, undefined, tenantId, 'zai')).toEqual([id])
      expect(await find(call, scopeOfTenant(mine), tenantId, 'zai')).toEqual([])
      expect(await find(call, noTenants, tenantId, 'zai')).toEqual([])
    },
  )
})

test("only statements in the tenant scope of the sender can count the invitations of the sender's Partner", async () => {
  const partner = await makeTenant(db, { role: 'partner' })
  const [sender, sibling] = [
    await makeTenant(db, { parentId: partner }),
    await makeTenant(db, { parentId: partner }),
  ]
  await owner.raw(
    `insert into audit_log (id, actor_tenant_id, tenant_id, action, after) values (?, ?, ?, 'user.invite', '{}')`,
    [newId(), sibling, sibling],
  )
  const count = (scope: TenantScope) =>
    attempt(scope, `select invitations_of_partner(?, '00000000-0000-0000-0000-000000000000', null, 10)`, [
      sender,
    ])
  expect(await count(scopeOfTenant(sender))).toBe(1)
  for (const scope of [scopeOfTenant(sibling), scopeOfTenant(mine), noTenants])
    expect(await count(scope)).toBe('refused')
})
