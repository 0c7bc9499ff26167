// Batches concurrent reads by key into one statement. Each key is combined with the scope of its caller: the tenants
// whose rows the caller may read. The statement filters every tenant table by the scope before it looks up the key.
// Even if the select lacks a condition by mistake, a caller therefore gets only rows of tenants in its own scope.

import type { Db } from '../db.ts'
import { groupsByShard, shardedStatement } from '../distributed-database.ts'
import type { SqlValue } from '../prepared-statement.ts'
import { currentScope, inScope, scopeOfTenant, type TenantScope, unionOfScopes } from '../tenant-scope.ts'
import { batched, CALLS_PER_STATEMENT, STATEMENTS_IN_FLIGHT } from './batched.ts'
import { perDatabase } from './per-database.ts'

/** Maps each table with tenant data to its column with the tenant id. */
const tenantColumns = {
  tenants: 'id',
  api_keys: 'tenant_id',
  entitlements: 'tenant_id',
  fee_schedules: 'tenant_id',
  payments: 'tenant_id',
  previous_webhook_secrets: 'tenant_id',
  routing_rules: 'tenant_id',
  session_keys: 'tenant_id',
  tenant_limits: 'tenant_id',
  webhook_endpoints: 'tenant_id',
} as const
type RestrictToScope = (table: keyof typeof tenantColumns) => string

/** The tables without tenant data. Reads of all other tables must filter by scope. */
const tablesWithoutTenant = new Set(['provider_accounts'])

type Read<Key> = {
  /**
   * The columns of the key. Each column has its PostgreSQL type and a function that gets the value of the column from a
   * key.
   */
  key: Record<string, [type: string, of: (key: Key) => SqlValue]>
  /**
   * Returns SQL that selects the rows of one key in the order in which they are returned. The SQL refers to the key as
   * `k`, and to each tenant table as `restrict('table')`. If the rows are sharded, `only(column)` is needed as in
   * `shardedStatement`.
   */
  select: (restrict: RestrictToScope, only: (column: string) => string) => string
  /** Returns the value of the sharding column. Needed only if the select reads a sharded table. */
  shardOf?: (key: Key) => string
}
type Numbered = { keyNumber: number }

/** Returns a function that reads the rows of a key. Concurrent calls share one SQL statement. */
export function batchedRead<Key, Row extends object>(
  name: string,
  { key, select, shardOf }: Read<Key>,
): (db: Db, key: Key) => Promise<Row[]> {
  const columns = Object.entries(key)
  const valuesOf = (keys: Key[]) =>
    Object.fromEntries(columns.map(([column, [, of]]) => [column, keys.map(of)]))
  const types = Object.fromEntries(columns.map(([column, [type]]) => [column, type]))
  const readInOneScope = shardedStatement<Row & Numbered>(only =>
    forEachKey(
      types,
      select(table => table, only),
    ),
  )
  const readInScopes = shardedStatement<Row & Numbered>(only =>
    forEachKey(
      { ...types, scope: 'uuid' },
      select(table => `(select * from ${table} where ${tenantColumns[table]} = k.scope)`, only),
    ),
  )
  assertRestricted(
    name,
    select(
      () => '(select)',
      () => '',
    ),
  )

  const readOn = perDatabase(db => {
    const options = {
      name,
      batchSize: CALLS_PER_STATEMENT,
      maxInFlight: STATEMENTS_IN_FLIGHT,
      // In a transaction, nothing is retried: after an error, PostgreSQL rejects all further statements of the
      // transaction with another error, which would hide the original one.
      retriesAlone: !db.isTransaction,
    }
    const inOneScope = (keys: Key[]) =>
      rowsOfEach(
        db,
        keys,
        each => each,
        group => readInOneScope(db, shardsOf(group), valuesOf(group)),
      )
    const forService = batched(inOneScope, options)
    // All reads in a transaction run in the tenant scope of the transaction, so no filter per caller is needed.
    if (db.isTransaction) return forService
    const forCallers = batched(
      (pairs: { key: Key; scope: string }[]) =>
        rowsOfEach(
          db,
          pairs,
          ({ key }) => key,
          group => {
            const [keys, scopes] = [group.map(({ key }) => key), group.map(({ scope }) => scope)]
            const values = { ...valuesOf(keys), scope: scopes }
            const scope = unionOfScopes(scopes.map(scopeOfTenant))
            return inScope(scope, () => readInScopes(db, shardsOf(keys), values))
          },
        ),
      options,
    )
    return async (key: Key): Promise<Row[]> => {
      const scope = currentScope()
      if (!scope) return forService(key)
      const tenant = onlyTenantOf(scope)
      return tenant === undefined
        ? ((await inOneScope([key]))[0] as Row[])
        : forCallers({ key, scope: tenant })
    }
  })
  return (db, key) => readOn(db)(key)

  function shardsOf(keys: Key[]): string[] {
    return shardOf ? keys.map(shardOf) : []
  }

  /** Returns the rows of each item. On a distributed database, the items are read shard by shard. */
  async function rowsOfEach<Item>(
    db: Db,
    items: Item[],
    keyOf: (item: Item) => Key,
    read: (group: Item[]) => Promise<(Row & Numbered)[]>,
  ): Promise<Row[][]> {
    const rows: Row[][] = items.map(() => [])
    const indexes = [...items.keys()]
    for (const group of groupsByShard(db, indexes, index => shardOf?.(keyOf(items[index] as Item)) ?? ''))
      for (const { keyNumber, ...row } of await read(group.map(index => items[index] as Item)))
        rows[group[keyNumber - 1] as number]?.push(row as unknown as Row)
    return rows
  }
}

/**
 * Returns SQL that runs the given select once for each key. The lateral join makes the planner look up each key in an
 * index. Without the lateral join, a plan that was made while the table was small could scan the whole table.
 */
function forEachKey(types: Record<string, string>, select: string): string {
  const keys = Object.entries(types).map(([column, type]) => `:${column}::${type}[]`)
  return `select k.key_number::integer as "keyNumber", found.*
     from unnest(${keys.join(', ')}) with ordinality as k (${Object.keys(types).join(', ')}, key_number)
     cross join lateral (${select}) found`
}

function assertRestricted(name: string, select: string): void {
  for (const [, table = ''] of select.matchAll(/\b(?:from|join)\s+(?!lateral\b)([a-z_]+)\b(?!\.)/gi))
    if (!tablesWithoutTenant.has(table))
      throw new Error(`${name} reads ${table}, not restricted to the scope of the caller`)
}

/**
 * Returns the only tenant of the scope, or undefined if the scope can contain several tenants. Reads in a scope of
 * several tenants are not batched.
 */
const onlyTenantOf = ({ tenants, partners }: TenantScope): string | undefined =>
  partners.length === 0 && tenants.length === 1 ? tenants[0] : undefined
