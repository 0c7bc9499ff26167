// A distributed database is a cluster of PostgreSQL servers with the extension Citus (docs/guides/scaling.md). A
// table's sharding column determines the shard of each row, and each tenant's rows are on one shard. If a statement
// requires the same value in the sharding column of every table, Citus accepts any SQL and runs the statement on one
// shard. For other statements, Citus accepts only some kinds of SQL.

import { isDatabaseUnavailable } from './database-errors.ts'
import type { Db, Tx } from './db.ts'
import { preparedStatement, type SqlValues } from './prepared-statement.ts'

/**
 * The shard keys of each distributed database (shard-query.ts). The map's key is the configuration object of the
 * connection pool, because the pool shares this object with its transactions.
 */
const distributed = new WeakMap<object, Map<string, string>>()

/**
 * Detects and remembers whether the database of these connection pools is distributed. Called once at startup,
 * so that the service does not have to query this for each statement.
 */
export async function detectDistribution([db, ...others]: [Db, ...Db[]]): Promise<void> {
  const { rows } = await db.raw(`select from pg_extension where extname = 'citus'`)
  if (rows.length > 0) for (const pool of [db, ...others]) distributed.set(pool.client.config, new Map())
}

/**
 * The maximum number of IDs or codes that are tried for a new row. If the worker (server) that would store the row is
 * unavailable, the next ID or code may belong to an available worker.
 */
const PLACES_TRIED = 8

/**
 * Inserts a row into a distributed database. If the row's worker is unavailable, calls `move` and tries again. `move`
 * changes the row's sharding column, so that another worker may store the row. If a failed insert took effect after
 * all, the row with the earlier value remains in the database.
 */
export async function insertOnAvailableWorker(
  insert: () => Promise<unknown>,
  move: () => void,
): Promise<void> {
  for (let left = PLACES_TRIED - 1; ; left -= 1)
    try {
      await insert()
      return
    } catch (error) {
      if (left === 0 || !isWorkerUnavailable(error)) throw error
      move()
    }
}

/**
 * Returns whether the error means that the coordinator node responded, but could not connect to the worker
 * node that stores the statement's rows.
 */
const isWorkerUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  isDatabaseUnavailable(error) &&
  error.message.includes('connection to the remote node')

export const isDistributed = (db: Db | Tx): boolean => distributed.has(db.client.config)

/**
 * Returns one key for each known shard, by the shard's number. A row with this key in its sharding column is on the
 * shard.
 */
export const shardKeys = (db: Db | Tx): Map<string, string> => {
  const keys = distributed.get(db.client.config)
  if (!keys) throw new Error('the database is not distributed')
  return keys
}

/**
 * Groups the items of a batch by the value of their sharding column, so that each group's statement runs on a single
 * shard. On a single PostgreSQL server, there is only one group.
 */
export const groupsByShard = <Item>(db: Db | Tx, items: Item[], keyOf: (item: Item) => string): Item[][] =>
  isDistributed(db) ? [...Map.groupBy(items, keyOf).values()] : [items]

/**
 * Returns whether the database is distributed and all values in `keys` are equal. If so, all rows with this sharding
 * key are on one shard.
 */
export const isOnOneShard = (db: Db | Tx, keys: readonly string[]): boolean =>
  isDistributed(db) && new Set(keys).size === 1

const hold = preparedStatement('select hold_shard(:tenantId)')

/**
 * On a distributed database, prevents Citus from moving or splitting the tenant's shard until the transaction ends.
 * Without this lock, the transaction's statements could reach different shards or no shard.
 */
export async function holdShard(tx: Tx, tenantId: string): Promise<void> {
  await hold(tx, { tenantId })
}

/**
 * Makes Citus use one connection to each node in this transaction. Citus requires this setting if a transaction first
 * changes the rows of several tenants and then changes a table that is copied to every node.
 */
export async function useOneConnectionPerNode(tx: Tx): Promise<void> {
  await tx.raw(`set local citus.multi_shard_modify_mode = 'sequential'`)
}

/**
 * Defines a prepared statement that joins tables with its parameters. In such a join, Citus does not recognize that all
 * rows are on one shard. The function `sqlOf`, which builds the SQL, therefore adds a condition for each table: it
 * calls `only(column)` with the table's sharding column. `keys` are the parameters' values for this column, such as
 * tenant IDs.
 *
 * - If all keys are equal on a distributed database, `only(column)` compares the sharding column with this key, and
 *   `onShard(text, usual)` returns `text`.
 * - If the keys differ, or on a single server, `only(column)` returns an empty string, and `onShard(text, usual)`
 *   returns `usual`.
 *
 * Inserts need `onShard`. Citus runs an insert directly on a shard only if the insert reads the new row's tenant from a
 * sharded table. Any other insert copies the rows to the shards and needs a two-phase commit.
 */
export function shardedStatement<Row = unknown>(
  sqlOf: (only: (column: string) => string, onShard: (text: string, usual?: string) => string) => string,
): (db: Db | Tx, keys: readonly string[], values: SqlValues) => Promise<Row[]> {
  const usual = preparedStatement<Row>(
    sqlOf(
      () => '',
      (_, usualText = '') => usualText,
    ),
  )
  const onOneShard = preparedStatement<Row>(
    sqlOf(
      column => `and ${column} = :onlyKey`,
      text => text,
    ),
  )
  return (db, keys, values) => {
    // A single server does not need the comparison of the sharding column. The comparison would make the statement take
    // up to 2.6 times as long (docs/decisions/0083-citus.md).
    if (!isOnOneShard(db, keys)) return usual(db, values)
    return onOneShard(db, { ...values, onlyKey: keys[0] as string })
  }
}
