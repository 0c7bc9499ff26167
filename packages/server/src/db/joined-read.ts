// One statement for the reads that come together, each in the scope of its own caller. The statement carries pairs of a
// key and a scope, and every table of a tenant's rows is narrowed to the scope of the pair before its key is looked for:
// whatever a select forgets, and whoever else asks at the same moment, a caller is answered what it would be alone.

import { coalesce } from '../coalesce.ts'
import { type Db, isDatabaseAway } from './db.ts'
import { AT_ONE_TIME, STATEMENTS_AT_ONCE } from './joined.ts'
import { currentScope, inScope, type Scope, scopeOfTenant, union } from './scope.ts'
import { statement, type Value } from './statement.ts'

/** Where each table of tenants says whose a row is. */
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

/** What belongs to no tenant. Any other table has to be narrowed. */
const anybodys = new Set(['provider_accounts'])

type Read<Key> = {
  /** The columns of a key: how PostgreSQL calls their type, and what they are of one that is asked for. */
  key: Record<string, [type: string, of: (key: Key) => Value]>
  /** Finds the rows of one key, which is named `k`, in the order in which they are wanted. */
  select: (narrow: Narrow) => string
}
type Found = { asked: number }

/** The rows of each key. */
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
      // After an error a transaction takes no further statement: to try again would only hide the error.
      isShared: db.isTransaction ? () => true : isDatabaseAway,
    }
    const inOneScope = async (asked: Key[]) => rowsOfEach(asked, await ofOneScope(db, valuesOf(asked)))
    const forService = coalesce(inOneScope, sizes)
    // A transaction has the scope in which it began, whoever asks.
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

/** By a lateral join, so that no plan made while a table was small scans it for all keys at once. */
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

/** Undefined where there are more, or only the database knows them: what is asked for those is joined with nothing. */
const onlyTenantOf = ({ tenants, partners }: Scope): string | undefined =>
  partners.length === 0 && tenants.length === 1 ? tenants[0] : undefined
