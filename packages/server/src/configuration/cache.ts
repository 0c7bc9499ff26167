// Caches configuration that every request needs and that seldom changes. An entry stays cached until the database
// sends a change notification (change-listener.ts), but at most half a second if notifications may be lost. Every
// change takes effect in every process within a second.

import { LRUCache } from 'lru-cache'
import { inScope } from '../db/tenant-scope.ts'

/** The maximum age of a cache entry while configuration change notifications may be lost. */
const UNVERIFIED_AGE_MS = 500
/**
 * The maximum age of a cache entry, even if no notification arrives. It is necessary because some changes
 * fire no row trigger and therefore send no notification: a restore from a backup, replication and TRUNCATE.
 */
const MAX_AGE_MS = 60_000
const MAX_ENTRIES = 10_000

/**
 * A period in which the notification channel worked, in performance.now() milliseconds. A value read after
 * `sinceMs` and not invalidated is therefore current until `untilMs`.
 */
export type ListeningPeriod = { sinceMs: number; untilMs: number }
export const notListening: ListeningPeriod = {
  sinceMs: Number.POSITIVE_INFINITY,
  untilMs: Number.NEGATIVE_INFINITY,
}

export type Cache<Value> = {
  get(key: string): Promise<Value | undefined>
  /** Returns the cached value, or undefined if no current value is cached. */
  peek(key: string): Value | undefined
  invalidate(key: string): void
  /** Drops every cached entry whose `dependsOn` returns this ID. */
  invalidateDependents(id: string): void
  invalidateAll(): void
}

type Options<Value> = {
  /** Returns how long a value stays valid after it was read, if no change notification arrives. */
  lifetimeMs?: (value: Value) => number
  /**
   * Returns the ID of the object on which a cached value depends. When this object changes, the cache drops
   * the value.
   */
  dependsOn?: (value: Value) => string | undefined
}

type Entry<Value> = {
  key: string
  reading: Promise<Value | undefined>
  /** The cached value. Undefined while the value is being read. */
  value: Value | undefined
  /** The ID of the object whose change makes the value outdated. */
  dependency: string | undefined
  startedAtMs: number
  expiresAtMs: number
}

/** Returns a cache. Concurrent calls for the same key share one read. A missing value is not cached. */
export function cached<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
  listeningPeriod: () => ListeningPeriod,
  { lifetimeMs = () => MAX_AGE_MS, dependsOn = () => undefined }: Options<Value> = {},
): Cache<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max: MAX_ENTRIES, dispose: removeFromIndexes })
  // `beingRead` and `dependents` are indexes of `entries`. With them, all entries that depend on an object can be
  // dropped without scanning the cache.
  const beingRead = new Set<Entry<Value>>()
  const dependents = new Map<string, Set<Entry<Value>>>()

  function isFresh({ value, startedAtMs, expiresAtMs }: Entry<Value>, nowMs: number): boolean {
    if (nowMs >= expiresAtMs) return false
    if (nowMs < startedAtMs + UNVERIFIED_AGE_MS) return true
    // New callers do not wait for a database read that started long ago, because it may hang.
    if (value === undefined) return false
    const { sinceMs, untilMs } = listeningPeriod()
    return startedAtMs >= sinceMs && nowMs < untilMs
  }

  function startRead(key: string, startedAtMs: number): Entry<Value> {
    const entry: Entry<Value> = {
      key,
      // All callers share the entry. The value is therefore read without any caller's tenant scope, because a tenant
      // scope hides the rows of other tenants.
      reading: inScope(undefined, () => read(key)),
      value: undefined,
      dependency: undefined,
      startedAtMs,
      expiresAtMs: startedAtMs + MAX_AGE_MS,
    }
    entries.set(key, entry)
    beingRead.add(entry)
    entry.reading.then(
      value => endRead(entry, value),
      () => endRead(entry, undefined),
    )
    return entry
  }

  function endRead(entry: Entry<Value>, value: Value | undefined): void {
    // If the cache entry was dropped while its value was being read, the value is ignored, because the cache
    // may now have another entry with this key.
    if (!beingRead.delete(entry)) return
    if (value === undefined) {
      entries.delete(entry.key)
      return
    }
    entry.value = value
    entry.expiresAtMs = entry.startedAtMs + Math.min(lifetimeMs(value), MAX_AGE_MS)
    entry.dependency = dependsOn(value)
    if (entry.dependency === undefined) return
    const siblings = dependents.get(entry.dependency) ?? new Set()
    dependents.set(entry.dependency, siblings.add(entry))
  }

  function removeFromIndexes(entry: Entry<Value>): void {
    beingRead.delete(entry)
    if (entry.dependency === undefined) return
    const siblings = dependents.get(entry.dependency)
    siblings?.delete(entry)
    if (siblings?.size === 0) dependents.delete(entry.dependency)
  }

  return {
    get(key) {
      const nowMs = performance.now()
      const entry = entries.get(key)
      return (entry && isFresh(entry, nowMs) ? entry : startRead(key, nowMs)).reading
    },
    peek(key) {
      const entry = entries.get(key)
      return entry && isFresh(entry, performance.now()) ? entry.value : undefined
    },
    // Also drops an entry whose read is in progress, because the read may have started before the change.
    invalidate(key) {
      entries.delete(key)
    },
    invalidateDependents(id) {
      for (const { key } of [...beingRead, ...(dependents.get(id) ?? [])]) entries.delete(key)
    },
    invalidateAll() {
      entries.clear()
    },
  }
}
