// Configuration that every request needs and that seldom changes: kept for half a second, so that what is
// revoked or changed holds in every process within one, whether or not any message reaches it.

import { LRUCache } from 'lru-cache'

const KEPT_MS = 500

/** Concurrent calls for one key share one read; what is absent is read again each time. */
export function recent<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
): (key: string) => Promise<Value | undefined> {
  const cache = new LRUCache<string, Value>({
    max: 10_000,
    ttl: KEPT_MS,
    fetchMethod: key => read(key),
    ignoreFetchAbort: true,
  })
  return key => cache.fetch(key)
}
