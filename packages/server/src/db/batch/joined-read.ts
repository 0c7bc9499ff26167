// Batches reads into one statement and keeps each caller within its own scope. The statement has pairs of a key and a
// scope as parameters. It filters every tenant table by the scope of a pair before it looks up the pair's key. So a
// caller gets the same rows as if it had read alone, even if the select omits a condition.

import { type Db, isDatabaseAway } from '../db.ts'
import { currentScope, inScope, type Scope, scopeOfTenant, union } from '../scope.ts'
import { statement, type Value } from '../statement.ts'
import { coalesce } from './coalesce.ts'
import { AT_ONE_TIME, STATEMENTS_AT_ONCE } from './joined.ts'

/** The column of each table that holds the tenant id. */
const tenantColumns = {
  tenants: 'id',
  api_keys: 'tenant_id',
  entitlements: 'tenant_id',
  payments: 'tenant_id',
  previous_webhook_secrets: 'tenant_id',
  routing_rules: 'tenant_id',
  session_keys: 'tenant_id',
  tenant_limits: 'tenant_id',
  webhook_endpoints: 'tenant_id',
} as const
type Narrow = (table: keyof typeof tenantColumns) => string

/** The tables without tenant data. Reads of all other tables must filter by scope. */
const anybodys = new Set(['provider_accounts'])

type Read<Key> = {
  /** The columns of the key: the PostgreSQL type of each column, and a function that gets its value from a key. */
  key: Record<string, [type: string, of: (key: Key) => Value]>
  /**
   * Returns SQL that selects the rows of one key in the order in which they are returned. The SQL refers to the key as
   * `k`.
   */
  select: (narrow: Narrow) => string
}
type Found = { asked: number }

/** Returns a function that reads the rows of a key. Concurrent calls share a statement. */
export function joinedRead<Key, Row extends object>(
  name: string,
  { key, select }: Read<Key>,
): (db: Db, key: Key) => Promise<Row[]> {
  const columns = Object.entries(key)
  const valuesOf = (asked: Key[]) =>
    Object.fromEntries(columns.map(([column, [, of]]) => [column, asked.map(of)]))
  const types = Object.fromEntries(columns.map(([column, [type]]) => [column, type]))
  const ofOneScope = statement<Row & Found>(
    forEachKey(
      types,
      select(table => table),
    ),
  )
  const ofPairs = statement<Row & Found>(
    forEachKey(
      { ...types, scope: 'uuid' },
      select(table => `(select * from ${table} where ${tenantColumns[table]} = k.scope)`),
    ),
  )
  assertNarrowed(
    name,
    select(() => '(select)'),
  )

  const calls = new WeakMap<Db, (asked: Key) => Promise<Row[]>>()
  return (db, asked) => {
    const known = calls.get(db)
    if (known) return known(asked)
    const call = callOn(db)
    calls.set(db, call)
    return call(asked)
  }

  function callOn(db: Db): (asked: Key) => Promise<Row[]> {
    const sizes = {
      name,
      batchSize: AT_ONE_TIME,
      atOnce: STATEMENTS_AT_ONCE,
      // A transaction accepts no statement after an error, so a retry would only hide the error.
      isShared: db.isTransaction ? () => true : isDatabaseAway,
    }
    const inOneScope = async (asked: Key[]) => rowsOfEach(asked, await ofOneScope(db, valuesOf(asked)))
    const forService = coalesce(inOneScope, sizes)
    // All reads in a transaction have the scope with which it began, so they need no filter for each caller.
    if (db.isTransaction) return forService
    const forCallers = coalesce(async (pairs: { key: Key; scope: string }[]) => {
      const scopes = pairs.map(({ scope }) => scope)
      const values = { ...valuesOf(pairs.map(pair => pair.key)), scope: scopes }
      return rowsOfEach(pairs, await inScope(union(scopes.map(scopeOfTenant)), () => ofPairs(db, values)))
    }, sizes)
    return async asked => {
      const scope = currentScope()
      if (!scope) return forService(asked)
      const tenant = onlyTenantOf(scope)
      return tenant === undefined
        ? ((await inOneScope([asked]))[0] as Row[])
        : forCallers({ key: asked, scope: tenant })
    }
  }

  function rowsOfEach(asked: unknown[], found: (Row & Found)[]): Row[][] {
    const rows: Row[][] = asked.map(() => [])
    for (const { asked: number, ...row } of found) rows[number - 1]?.push(row as unknown as Row)
    return rows
  }
}

/**
 * Returns SQL that runs the select for each key. It uses a lateral join, so that a plan made while a table was small
 * does not scan the table for all keys at once.
 */
function forEachKey(types: Record<string, string>, select: string): string {
  const keys = Object.entries(types).map(([column, type]) => `:${column}::${type}[]`)
  return `select k.asked::integer, found.*
     from unnest(${keys.join(', ')}) with ordinality as k (${Object.keys(types).join(', ')}, asked)
     cross join lateral (${select}) found`
}

function assertNarrowed(name: string, select: string): void {
  for (const [, table = ''] of select.matchAll(/\b(?:from|join)\s+(?!lateral\b)([a-z_]+)\b(?!\.)/gi))
    if (!anybodys.has(table))
      throw new Error(`${name} reads ${table}, not narrowed to the scope of the caller`)
}

/**
 * Returns the scope's only tenant. Returns undefined if the scope has several tenants, or partners, whose Clients only
 * the database knows; reads in such a scope are not batched.
 */
const onlyTenantOf = ({ tenants, partners }: Scope): string | undefined =>
  partners.length === 0 && tenants.length === 1 ? tenants[0] : undefined
