// Determines whether an installation compresses the messages it stores. During an upgrade from a version that
// cannot read compressed messages, the operator turns compression off (docs/guides/upgrade.md).

import type { Db, Tx } from '../db/db.ts'

/**
 * The connection pools that store messages uncompressed. The set contains the pools' configuration objects,
 * because a pool's transactions have the same object.
 */
const uncompressed = new WeakSet<object>()

/** Stores all messages written through these connection pools uncompressed. Called once at startup. */
export function storeUncompressed(pools: Db[]): void {
  for (const { client } of pools) uncompressed.add(client.config)
}

export const storesCompressed = (db: Db | Tx): boolean => !uncompressed.has(db.client.config)
