// Runs a query on every shard of a table in a distributed database (distributed-database.ts). Background tasks find
// their next work this way, because Citus rejects their recursive queries across several shards.

import pg from 'pg'
import type { Db, Tx } from './db.ts'
import { shardKeys } from './distributed-database.ts'
import { type Placement, placements } from './placement.ts'
import { preparedStatement, type SqlValue, type SqlValues } from './prepared-statement.ts'

/**
 * The tables that a query reads. The first table is sharded. The other tables must be sharded by the same column or
 * copied to every node, so that each node has all rows that the query joins.
 */
type Tables = string | readonly [string, ...string[]]

/**
 * Runs a query on every shard of a table and returns all rows. Each run of the query sees only the rows of one shard,
 * so the query may use any SQL that a single PostgreSQL server supports.
 *
 * - Arrays in `values` may contain only IDs and numbers.
 * - Times are returned as text, because rows are transferred as JSON.
 * - If a node fails, returns the rows of the other nodes, or throws an error if the other nodes return no rows.
 */
export async function queryShards<Row>(
  db: Db | Tx,
  tables: Tables,
  query: string,
  values: SqlValues = {},
): Promise<Row[]> {
  const results = await Promise.allSettled(await queryNodes<Row>(db, tables, query, values))
  const rows = results.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected' && rows.length === 0) throw failed.reason
  return rows
}

/** Does the same as `queryShards`, but throws an error if a node fails. */
export async function queryAllShards<Row>(
  db: Db | Tx,
  tables: Tables,
  query: string,
  values: SqlValues = {},
): Promise<Row[]> {
  return (await Promise.all(await queryNodes<Row>(db, tables, query, values))).flat()
}

/** Sends the query to each node, and returns each node's rows. */
async function queryNodes<Row>(
  db: Db | Tx,
  tables: Tables,
  query: string,
  values: SqlValues,
): Promise<Promise<Row[]>[]> {
  const text = query.replace(/(?<!:):([a-z]\w*)/gi, (_, name: string) => literal(values[name] ?? null))
  const [first, ...others] = typeof tables === 'string' ? [tables] : tables
  return (await keysOfNodes(db, first)).map(async key => {
    const [found] = await queryNode(first)(db, { key, tables: [first, ...others], query: text })
    return (found?.rows ?? []) as Row[]
  })
}

type OnNode = ReturnType<typeof preparedStatement<{ rows: unknown[] }>>
const onNode = new Map<string, OnNode>()

// Returns a statement that queries all shards of a table on one node. Citus runs it on the node that has the shard of
// `:key`, because the statement selects this key. There, the function `query_shards` (distribute/distributed-rules.ts)
// queries all shards.
function queryNode(table: string): OnNode {
  const known = onNode.get(table)
  if (known) return known
  const statement = preparedStatement<{ rows: unknown[] }>(
    `select query_shards(:tables::text[], :query) as rows
     from (select count(*) from ${table} where ${columnOf(table)} = :key::uuid) one`,
  )
  onNode.set(table, statement)
  return statement
}

const columnOf = (table: string): string =>
  (placements[table] as Extract<Placement, { kind: 'sharded' }>).column

const listNodes = preparedStatement<{ shards: string[] }>(
  `select array_agg(shardid::text) as shards from pg_dist_shard join pg_dist_placement using (shardid)
   where logicalrelid = :table::regclass group by groupid order by groupid`,
)

const listKeys = preparedStatement<{ shard: string; key: string }>(
  `select get_shard_id_for_distribution_column(:table::regclass, key)::text as shard, key
   from (select gen_random_uuid() as key from generate_series(1, 100)) k`,
)

// Returns the ID of one tenant for each shard. Random keys would miss shards: a shard that contains a single tenant has
// so few keys that practically no random key belongs to it.
const listTenants = preparedStatement<{ shard: string; key: string }>(
  `select get_shard_id_for_distribution_column(:table::regclass, id)::text as shard, min(id::text) as key
   from tenants group by 1`,
)

/**
 * Returns one key for each node that has shards of the table. If the sharding column of a row contains this
 * key, the row is on this node.
 */
async function keysOfNodes(db: Db | Tx, table: string): Promise<string[]> {
  const keys = shardKeys(db)
  const known = (shards: string[]) => shards.map(shard => keys.get(shard)).find(key => key !== undefined)
  const nodes = await listNodes(db, { table })
  // A key can be cached by its shard's number. A moved shard keeps its number, and the parts of a split shard get new
  // numbers, so a cached key stays valid.
  for (let n = 0; nodes.some(({ shards }) => !known(shards)); n += 1) {
    const list = n === 1 && columnOf(table) === 'tenant_id' ? listTenants : listKeys
    for (const { shard, key } of await list(db, { table })) keys.set(shard, key)
    // A node to which no tenant's ID belongs contains no rows, so no key is needed to reach it.
    if (list === listTenants) break
  }
  return nodes.flatMap(({ shards }) => known(shards) ?? [])
}

function literal(value: SqlValue | readonly SqlValue[]): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(textOf).join()}}`)
  const text = textOf(value as SqlValue)
  // The names of tables in the query are later replaced with the names of shards. Text values are therefore written in
  // hexadecimal digits, which cannot contain a table's name.
  return typeof value === 'string' && !isId.test(value)
    ? `convert_from('\\x${Buffer.from(text).toString('hex')}'::bytea, 'UTF8')`
    : pg.escapeLiteral(text)
}

const isId = /^[\da-f-]{36}$/

const textOf = (value: SqlValue): string => (value instanceof Date ? value.toISOString() : String(value))
