// A cache that drops the entry that was unused for longest when it is full.

import { LRUCache } from 'lru-cache'

type Options<Value> = { dispose?: (value: Value) => void }

/**
 * Returns an empty cache for at most `maxEntries` entries. The limit is a size with entries of size 1, because lru-cache
 * reserves memory for all entries at once if it is given a number of entries: 0.3 MB and 1.6 ms for 10,000 entries, in
 * each of the service's two dozen caches.
 */
export const boundedCache = <Value extends NonNullable<unknown>>(
  maxEntries: number,
  { dispose }: Options<Value> = {},
): LRUCache<string, Value> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ...(dispose ? { dispose } : {}) })
