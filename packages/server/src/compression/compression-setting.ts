// Whether the processes of an installation store messages compressed. During an upgrade from a version that cannot read
// compressed messages, the operator switches the compression off (docs/guides/upgrade.md).

import type { Db, Tx } from '../db/db.ts'

/**
 * The configurations of connection pools with which messages are stored uncompressed. A transaction has the configuration
 * of its pool.
 */
const uncompressed = new WeakSet<object>()

/** Stores all messages that are written through these connection pools uncompressed. Called once at startup. */
export function storeUncompressed(pools: Db[]): void {
  for (const { client } of pools) uncompressed.add(client.config)
}

export const storesCompressed = (db: Db | Tx): boolean => !uncompressed.has(db.client.config)
