// A distributed database is a cluster of PostgreSQL servers with the extension Citus (docs/guides/scaling.md). Each
// tenant's rows are on one shard. If a statement compares the sharding column of every table with the same value,
// Citus runs the statement on this value's shard, whatever its SQL is. Otherwise, Citus accepts only some kinds of
// SQL.

import { isDatabaseUnavailable } from './database-errors.ts'
import type { Db, Tx } from './db.ts'
import { preparedStatement, type SqlValues } from './prepared-statement.ts'

/**
 * For each connection pool whose database is distributed: the keys of the database's shards (shard-query.ts). A pool is
 * identified by its configuration object, because the pool's transactions have the same configuration object.
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
 * How many IDs or codes are tried for a new row. A row's ID or code determines the worker that stores the row. If
 * this worker is unavailable, another ID or code may belong to an available worker.
 */
const PLACES_TRIED = 8

/**
 * Inserts a row into a distributed database. If the worker for this row is unavailable, `move` changes the row's
 * sharding column before the next try, so that the row may belong to another worker. If the outcome of a failed
 * insert is unknown, the row with the earlier value may remain in the database.
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
 * Returns whether the error means that the coordinator responded but could not connect to the worker that
 * stores the statement's rows.
 */
const isWorkerUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  isDatabaseUnavailable(error) &&
  error.message.includes('connection to the remote node')

export const isDistributed = (db: Db | Tx): boolean => distributed.has(db.client.config)

/**
 * Maps the number of each known shard to a key. A row whose sharding column contains this key is on the shard.
 */
export const shardKeys = (db: Db | Tx): Map<string, string> => {
  const keys = distributed.get(db.client.config)
  if (!keys) throw new Error('the database is not distributed')
  return keys
}

/**
 * Groups the items of a batch by their sharding column, so that each group's statement runs on a single shard. On a
 * single PostgreSQL server, all items are in one group.
 */
export const groupsByShard = <Item>(db: Db | Tx, items: Item[], keyOf: (item: Item) => string): Item[][] =>
  isDistributed(db) ? [...Map.groupBy(items, keyOf).values()] : [items]

/**
 * Returns whether the database is distributed and all keys are equal. If so, all rows with these keys are on one
 * shard.
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
 * Makes Citus use one connection to each node in this transaction. Citus requires this when a transaction changes
 * several tenants' rows and then a table that is copied to every node.
 */
export async function useOneConnectionPerNode(tx: Tx): Promise<void> {
  await tx.raw(`set local citus.multi_shard_modify_mode = 'sequential'`)
}

/**
 * Defines a prepared statement that joins tables with the statement's parameters. In such a join, Citus does not
 * recognize that all rows are on one shard. For each table, `sqlOf` therefore adds `only(column)` to a condition,
 * where `column` is the table's sharding column. `keys` contains the values of this column in the parameters, for
 * example the tenant of each row.
 *
 * - On a distributed database, if all keys are equal, `only` returns a comparison of the column with this
 *   key, and `onShard(text, usual)` returns `text`.
 * - Otherwise, `only` returns an empty string, and `onShard` returns `usual`. A single server does not need the
 *   comparison, which would make the statement take up to 2.6 times as long there (docs/decisions/0083-citus.md).
 *
 * Inserts need `onShard`: Citus runs an insert directly on a shard only if the new row's tenant is read from
 * a row of a sharded table. Otherwise, Citus copies the rows to the shards and needs a two-phase commit.
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
    if (!isOnOneShard(db, keys)) return usual(db, values)
    return onOneShard(db, { ...values, onlyKey: keys[0] as string })
  }
}
