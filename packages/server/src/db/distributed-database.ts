// A distributed database is a cluster of PostgreSQL servers with the extension Citus (docs/guides/scaling.md). Each
// tenant's rows are on one shard. If a statement compares every table's sharding column with one value, Citus runs
// any SQL on this value's shard. Otherwise, Citus accepts only some kinds of SQL.

import { isDatabaseUnavailable } from './database-errors.ts'
import type { Db, Tx } from './db.ts'
import { preparedStatement, type SqlValues } from './prepared-statement.ts'

/**
 * For each connection pool with a distributed database: its shards' keys (shard-query.ts). Pools are identified by
 * their configuration object, which their transactions share.
 */
const distributed = new WeakMap<object, Map<string, string>>()

/**
 * Remembers whether these connection pools' database is distributed. Called once at startup, so that the service
 * does not query this for each statement.
 */
export async function detectDistribution([db, ...others]: [Db, ...Db[]]): Promise<void> {
  const { rows } = await db.raw(`select from pg_extension where extname = 'citus'`)
  if (rows.length > 0) for (const pool of [db, ...others]) distributed.set(pool.client.config, new Map())
}

/**
 * How many IDs or codes are tried for a new row. An ID determines the row's worker. If this worker is unavailable,
 * the worker for another ID may be available.
 */
const PLACES_TRIED = 8

/**
 * Inserts a row on an available worker in a distributed database. Before each retry, `move` changes the row's
 * sharding column, so that the row may belong to another worker. If an insert's outcome is unknown, a row with an
 * earlier value may remain in the database.
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

/** Returns whether the coordinator responded but could not connect to the worker with the statement's rows. */
const isWorkerUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  isDatabaseUnavailable(error) &&
  error.message.includes('connection to the remote node')

export const isDistributed = (db: Db | Tx): boolean => distributed.has(db.client.config)

/** Each known shard's number, with one of its keys. A row whose sharding column has this key is on the shard. */
export const shardKeys = (db: Db | Tx): Map<string, string> => {
  const keys = distributed.get(db.client.config)
  if (!keys) throw new Error('the database is not distributed')
  return keys
}

/**
 * Groups a batch's items by their sharding column, so that each group runs on its shard. On a single PostgreSQL
 * server, there is one group.
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
 * Otherwise, the transaction's statements could reach different shards or none.
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
 * Defines a prepared statement that joins tables with its parameters. In such a join, Citus does not recognize that
 * all rows are on one shard. `sqlOf` therefore adds `only(column)` to a condition for each table's sharding column.
 * `keys` contains this column's values in the parameters, for example each row's tenant.
 *
 * - On a distributed database with equal keys, `only` compares the column with this key, and `onShard(text,
 *   usual)` returns `text`.
 * - Otherwise, `only` returns an empty string, and `onShard` returns `usual`. On a single server, the comparison
 *   would take up to 2.6 times as long (docs/decisions/0083-citus.md).
 *
 * Inserts need `onShard`. Citus runs an insert on its shard only if the new row's tenant comes from a sharded
 * table's row. Otherwise, Citus copies the rows to the shards and needs a two-phase commit.
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
