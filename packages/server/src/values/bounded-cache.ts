// A cache that drops the entry that was unused for longest when it is full.

import { LRUCache } from 'lru-cache'

type Options<Value> = { dispose?: (value: Value) => void }

/**
 * Returns an empty cache for at most `maxEntries` entries. The limit is set as a total size (`maxSize`), and each entry
 * has size 1. With lru-cache's option `max`, which limits the number of entries, lru-cache would reserve memory for all
 * entries at once. For 10,000 entries, this would take 0.3 MB and 1.6 ms in each of the service's two dozen caches.
 */
export const boundedCache = <Value extends NonNullable<unknown>>(
  maxEntries: number,
  { dispose }: Options<Value> = {},
): LRUCache<string, Value> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ...(dispose ? { dispose } : {}) })
