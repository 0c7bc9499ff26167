// Caches configuration that every request needs and that seldom changes. An entry stays cached until the database
// notifies the process of a change (change-listener.ts). While notifications may be lost, an entry expires after half a
// second. Every change therefore takes effect in every process within a second.

import { inScope } from '../db/tenant-scope.ts'
import { boundedCache } from '../values/bounded-cache.ts'

/** The maximum age of a cache entry while configuration change notifications may be lost. */
const UNVERIFIED_AGE_MS = 500
/**
 * The maximum age of a cache entry, even if no notification arrives. It is necessary because some changes
 * fire no row trigger and therefore send no notification: a restore from a backup, replication and TRUNCATE.
 */
const MAX_AGE_MS = 60_000
const MAX_ENTRIES = 10_000

/**
 * A period in which the notification channel worked, in milliseconds of performance.now(). A cached value
 * that was read after `sinceMs` is current until `untilMs`, unless a notification has invalidated it.
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
  /**
   * Drops every cached value that depends on the object with this ID. The option `dependsOn` returns the ID
   * on which a value depends.
   */
  invalidateDependents(id: string): void
  invalidateAll(): void
}

type Options<Value> = {
  /**
   * Returns the longest time that a value may stay cached after it was read. A change notification removes
   * the value earlier.
   */
  lifetimeMs?: (value: Value) => number
  /**
   * Returns the ID of the object on which the given cached value depends. When this object changes, the cache
   * removes the value.
   */
  dependsOn?: (value: Value) => string | undefined
}

type Entry<Value> = {
  key: string
  reading: Promise<Value | undefined>
  /** The cached value. Undefined while the value is being read. */
  value: Value | undefined
  /** The ID of the object on which the cached value depends. When this object changes, the value is outdated. */
  dependency: string | undefined
  startedAtMs: number
  expiresAtMs: number
}

/**
 * Returns a cache of the values that `read` returns. Concurrent calls for the same key share one read. If
 * `read` finds no value, this result is not cached.
 */
export function cached<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
  listeningPeriod: () => ListeningPeriod,
  { lifetimeMs = () => MAX_AGE_MS, dependsOn = () => undefined }: Options<Value> = {},
): Cache<Value> {
  const entries = boundedCache<Entry<Value>>(MAX_ENTRIES, { dispose: removeFromIndexes })
  // Indexes of the cache's `entries`. `beingRead` contains the entries whose value is still being read. `dependents`
  // contains the entries that depend on each object. If an object changes, its dependent entries can be dropped without
  // scanning the cache.
  const beingRead = new Set<Entry<Value>>()
  const dependents = new Map<string, Set<Entry<Value>>>()

  function isFresh({ value, startedAtMs, expiresAtMs }: Entry<Value>, nowMs: number): boolean {
    if (nowMs >= expiresAtMs) return false
    if (nowMs < startedAtMs + UNVERIFIED_AGE_MS) return true
    // The cache entry has no value until its database read ends. If the read started long ago, it may hang,
    // so new callers start another read instead of waiting.
    if (value === undefined) return false
    const { sinceMs, untilMs } = listeningPeriod()
    return startedAtMs >= sinceMs && nowMs < untilMs
  }

  function startRead(key: string, startedAtMs: number): Entry<Value> {
    const entry: Entry<Value> = {
      key,
      // All callers share this cache entry. It is therefore read without the caller's tenant scope, which would hide
      // the rows of other tenants.
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
    // If the entry was dropped during the read, the value is discarded, because the cache may already have a
    // newer entry with this key.
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
    // Drops the cache entry even while its value is being read from the database, because this read may have
    // started before the change.
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
