// A database is distributed if it is a cluster of PostgreSQL servers with the extension Citus
// (docs/guides/scaling.md). The rows of one tenant are on one shard. If a statement requires the sharding
// column of every table to equal the same value, Citus sends the statement to that shard and accepts any SQL.
// Otherwise, Citus accepts only some kinds of SQL.

import { isDatabaseUnavailable } from './database-errors.ts'
import type { Db, Tx } from './db.ts'
import { preparedStatement, type SqlValues } from './prepared-statement.ts'

/**
 * For each connection pool with a distributed database, maps the pool's configuration to the keys of its
 * shards (shard-query.ts). A transaction shares the configuration of its pool.
 */
const distributed = new WeakMap<object, Map<string, string>>()

/**
 * Remembers whether the database of these connection pools is distributed. Called once at startup, so that
 * the service does not query this for each statement.
 */
export async function detectDistribution([db, ...others]: [Db, ...Db[]]): Promise<void> {
  const { rows } = await db.raw(`select from pg_extension where extname = 'citus'`)
  if (rows.length > 0) for (const pool of [db, ...others]) distributed.set(pool.client.config, new Map())
}

/** The number of ids or codes that are tried for a row until one of them is on an available worker. */
const PLACES_TRIED = 8

/**
 * Calls `insert` until it inserts a row on an available worker of a distributed database. `move` changes the value of the
 * row's sharding column, so that the row may belong on another worker. An insert whose outcome is unknown may leave a
 * row with the earlier value.
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

/** Returns whether the coordinator responded, but could not connect to the worker with the rows of the statement. */
const isWorkerUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  isDatabaseUnavailable(error) &&
  error.message.includes('connection to the remote node')

export const isDistributed = (db: Db | Tx): boolean => distributed.has(db.client.config)

/**
 * Returns one key of each shard whose keys are known. A row is on the shard if its sharding column has this
 * key.
 */
export const shardKeys = (db: Db | Tx): Map<string, string> => {
  const keys = distributed.get(db.client.config)
  if (!keys) throw new Error('the database is not distributed')
  return keys
}

/**
 * Groups the items of a batch by their value of the sharding column, so that each group can be processed on its shard.
 * On one PostgreSQL, all items are in one group.
 */
export const groupsByShard = <Item>(db: Db | Tx, items: Item[], keyOf: (item: Item) => string): Item[][] =>
  isDistributed(db) ? [...Map.groupBy(items, keyOf).values()] : [items]

/** Returns whether the database is distributed and all keys are the same, so that their rows are on one shard. */
export const isOnOneShard = (db: Db | Tx, keys: readonly string[]): boolean =>
  isDistributed(db) && new Set(keys).size === 1

const hold = preparedStatement('select hold_shard(:tenantId)')

/**
 * Prevents a move or a split of the tenant's shard until the end of the transaction, on a distributed database. Citus
 * would otherwise send some statements of the transaction to the old shard and others to the new one, or to none.
 */
export async function holdShard(tx: Tx, tenantId: string): Promise<void> {
  await hold(tx, { tenantId })
}

/**
 * Makes Citus use one connection to each node in this transaction. Citus requires this if the transaction
 * changes a table with a copy on every node after it has changed rows of several tenants.
 */
export async function useOneConnectionPerNode(tx: Tx): Promise<void> {
  await tx.raw(`set local citus.multi_shard_modify_mode = 'sequential'`)
}

/**
 * Defines a prepared statement that finds its rows through a join with its parameters. Citus cannot see in
 * such a join that all rows are on one shard. `sqlOf` therefore calls `only(column)` for the sharding
 * column of each table, and inserts the returned text after a condition. `keys` are the values of this
 * column in the parameters, for example the tenant of each row. On a distributed database, if all keys are
 * the same, the text compares the column with this key. Otherwise the text is empty. It is always empty on
 * one PostgreSQL, where the comparison would make the statement take up to 2.6 times as long
 * (docs/decisions/0083-citus.md).
 *
 * If `only` returns a comparison, `onShard(text, usual)` returns `text`, and otherwise `usual`. Inserts
 * need `onShard`: Citus runs an insert on its shard only if the query takes the new row's tenant from a row
 * of a sharded table. If all values come from parameters, Citus copies the rows to the shards, and the
 * transaction commits in two phases.
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
