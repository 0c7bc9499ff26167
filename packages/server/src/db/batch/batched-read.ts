// Batches concurrent reads into one statement. Each read has a key and the scope of its caller (the tenants whose rows
// the caller may read). For each key, the statement sees only the rows in this scope, even if the SQL lacks a condition
// by mistake.

import type { Db } from '../db.ts'
import { isDistributed } from '../distributed-database.ts'
import { placements } from '../placement.ts'
import { preparedStatement, type SqlValue } from '../prepared-statement.ts'
import { currentScope, inScope, scopeOfTenant, type TenantScope, unionOfScopes } from '../tenant-scope.ts'
import { batched, CALLS_PER_STATEMENT, STATEMENTS_IN_FLIGHT } from './batched.ts'
import { perDatabase } from './per-database.ts'

/** Maps each table with tenant data to its tenant ID column. */
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

/**
 * The tables that contain no tenant's data. Only these can be read without restricting the rows to the
 * tenants that the caller may read.
 */
const tablesWithoutTenant = new Set(['provider_accounts'])

type Read<Key> = {
  /**
   * The columns of the key by which rows are read. For each column: its PostgreSQL type, and a function that
   * returns the column's value for a given key.
   */
  key: Record<string, [type: string, of: (key: Key) => SqlValue]>
  /**
   * Returns an SQL query for the rows of the key `k`, in the order that the caller needs. Instead of the name of a
   * tenant table, the query must contain `restrict('table')`.
   */
  select: (restrict: RestrictToScope) => string
}
type Numbered = { keyNumber: number }

/** Returns a function that reads the rows for a key. Concurrent calls share one SQL statement. */
export function batchedRead<Key, Row extends object>(
  name: string,
  { key, select }: Read<Key>,
): (db: Db, key: Key) => Promise<Row[]> {
  const columns = Object.entries(key)
  const valuesOf = (keys: Key[]) =>
    Object.fromEntries(columns.map(([column, [, of]]) => [column, keys.map(of)]))
  const types = Object.fromEntries(columns.map(([column, [type]]) => [column, type]))
  const readInOneScope = preparedStatement<Row & Numbered>(
    forEachKey(
      types,
      select(table => table),
    ),
  )
  const readInScopes = preparedStatement<Row & Numbered>(
    forEachKey(
      { ...types, scope: 'uuid' },
      select(table => `(select * from ${table} where ${tenantColumns[table]} = k.scope)`),
    ),
  )
  // Reads of a table that Citus has sharded are not batched. A batch would join the table with a list of keys, and
  // Citus cannot determine the shard for such a join. The statement of a single read runs on the shard with the rows of
  // its key.
  const readOne = preparedStatement<Row>(
    select(table => table).replace(/\bk\.(\w+)/g, (_, column: string) => `:${column}::${types[column]}`),
  )
  const isSharded = Object.keys(tenantColumns).some(
    table => placements[table]?.kind === 'sharded' && new RegExp(`\\b${table}\\b`).test(select(each => each)),
  )
  assertRestricted(
    name,
    select(() => '(select)'),
  )

  const readOn = perDatabase(db => {
    if (isSharded && isDistributed(db))
      return (one: Key) =>
        readOne(db, Object.fromEntries(columns.map(([column, [, of]]) => [column, of(one)])))
    const options = {
      name,
      batchSize: CALLS_PER_STATEMENT,
      maxInFlight: STATEMENTS_IN_FLIGHT,
      // In a transaction, a failed batch is not retried. After an error, PostgreSQL rejects all of the transaction's
      // later statements with another error, which would hide the original error.
      retriesAlone: !db.isTransaction,
    }
    const inOneScope = async (keys: Key[]) => rowsOfEach(keys, await readInOneScope(db, valuesOf(keys)))
    const forService = batched(inOneScope, options)
    // A transaction has one tenant scope for all its reads. A batch of these reads therefore does not have to filter
    // the rows for each caller.
    if (db.isTransaction) return forService
    const forCallers = batched(async (pairs: { key: Key; scope: string }[]) => {
      const scopes = pairs.map(({ scope }) => scope)
      const values = { ...valuesOf(pairs.map(pair => pair.key)), scope: scopes }
      const scope = unionOfScopes(scopes.map(scopeOfTenant))
      return rowsOfEach(pairs, await inScope(scope, () => readInScopes(db, values)))
    }, options)
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

  function rowsOfEach(keys: unknown[], found: (Row & Numbered)[]): Row[][] {
    const rows: Row[][] = keys.map(() => [])
    for (const { keyNumber, ...row } of found) rows[keyNumber - 1]?.push(row as unknown as Row)
    return rows
  }
}

/**
 * Returns SQL that runs the query `select` once for each key. The lateral join makes PostgreSQL use an index. Without
 * this join, a query plan made while the table was small could scan the whole table.
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
      throw new Error(`${name} must restrict the rows that it reads from ${table} to the caller's scope`)
}

/**
 * Returns the scope's only tenant. Returns undefined if the scope can contain several tenants; reads in such a scope
 * are not batched.
 */
const onlyTenantOf = ({ tenants, partners }: TenantScope): string | undefined =>
  partners.length === 0 && tenants.length === 1 ? tenants[0] : undefined
