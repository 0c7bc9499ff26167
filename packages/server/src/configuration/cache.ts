// Caches configuration that every request needs and that seldom changes. An entry stays cached until the database
// notifies this process of a change (change-listener.ts). While notifications may be lost, an entry stays cached for at
// most half a second. A change or revocation therefore takes effect in every process within a second.

import { LRUCache } from 'lru-cache'
import { inScope } from '../db/tenant-scope.ts'

/** The maximum age of an entry while notifications may be lost. */
const UNVERIFIED_AGE_MS = 500
/**
 * The maximum age of an entry. It is limited because a restore, a replication or a TRUNCATE fires no row trigger and so
 * sends no notification.
 */
const MAX_AGE_MS = 60_000
const MAX_ENTRIES = 10_000

/**
 * The period for which notifications are known to arrive, in milliseconds of performance.now(). A value that was read
 * after `sinceMs` and was not invalidated is valid until `untilMs`.
 */
export type ListeningPeriod = { sinceMs: number; untilMs: number }
export const notListening: ListeningPeriod = {
  sinceMs: Number.POSITIVE_INFINITY,
  untilMs: Number.NEGATIVE_INFINITY,
}

export type Cache<Value> = {
  get(key: string): Promise<Value | undefined>
  /** Returns the cached value; undefined if it is not cached and would have to be read. */
  peek(key: string): Value | undefined
  invalidate(key: string): void
  /** Drops every entry for which `dependsOn` returns this id. */
  invalidateDependents(id: string): void
  invalidateAll(): void
}

type Options<Value> = {
  /** Returns how long an unchanged value stays valid after it was read. */
  lifetimeMs?: (value: Value) => number
  /** Returns the id of another object on which the value depends: a change of that object may change the value. */
  dependsOn?: (value: Value) => string | undefined
}

type Entry<Value> = {
  key: string
  reading: Promise<Value | undefined>
  /** The cached value; undefined while it is being read. */
  value: Value | undefined
  /** The id of the object on which the value depends. */
  dependency: string | undefined
  startedAtMs: number
  expiresAtMs: number
}

/**
 * Returns a cache. Concurrent calls for the same key share one read. The result that a value does not exist is not
 * cached.
 */
export function cached<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
  listeningPeriod: () => ListeningPeriod,
  { lifetimeMs = () => MAX_AGE_MS, dependsOn = () => undefined }: Options<Value> = {},
): Cache<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max: MAX_ENTRIES, dispose: removeFromIndexes })
  // Indexes of `entries`, so that all entries that depend on an object can be dropped without a scan of the cache.
  const beingRead = new Set<Entry<Value>>()
  const dependents = new Map<string, Set<Entry<Value>>>()

  function isFresh({ value, startedAtMs, expiresAtMs }: Entry<Value>, nowMs: number): boolean {
    if (nowMs >= expiresAtMs) return false
    if (nowMs < startedAtMs + UNVERIFIED_AGE_MS) return true
    // The read may hang, so new callers do not wait for it.
    if (value === undefined) return false
    const { sinceMs, untilMs } = listeningPeriod()
    return startedAtMs >= sinceMs && nowMs < untilMs
  }

  function startRead(key: string, startedAtMs: number): Entry<Value> {
    const entry: Entry<Value> = {
      key,
      // The read runs outside the caller's database scope, because all callers share the entry.
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
    // The entry was dropped while it was being read, and another entry may now have its key.
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
    // Also drops an entry that is being read, because that read may have started before the change. Later callers read
    // again.
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
