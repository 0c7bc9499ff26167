// Caches configuration that every request needs and that seldom changes. An entry stays cached until the database sends
// a notification of a change (configuration/changes.ts). While notifications may be lost, it stays cached for at most half a
// second. So a change or revocation takes effect in every process within a second, even if no notification is received.

import { LRUCache } from 'lru-cache'
import { inScope } from '../db/scope.ts'

const UNHEARD_MS = 500
/**
 * The maximum age of an entry. It is limited because a restore, a replication or a TRUNCATE fires no row trigger and so
 * sends no notification.
 */
const LONGEST_MS = 60_000
const MOST = 10_000

/**
 * The period for which notifications are known to arrive, in milliseconds of performance.now(). A value that was read
 * after `sinceMs` and was not dropped is valid until `untilMs`.
 */
export type Hearing = { sinceMs: number; untilMs: number }
export const deaf: Hearing = { sinceMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY }

export type Kept<Value> = {
  get(key: string): Promise<Value | undefined>
  /** Returns the cached value; undefined if it is not cached and would have to be read. */
  atHand(key: string): Value | undefined
  drop(key: string): void
  /** Drops every entry for which `partOf` returns `whole`. */
  dropPartsOf(whole: string): void
  dropAll(): void
}

type About<Value> = {
  /** Returns how long a value stays valid if it does not change, counted from the time when it was read. */
  livesMs?: (value: Value) => number
  /** Returns the id of another object on which the value depends: a change of that object may change the value. */
  partOf?: (value: Value) => string | undefined
}

type Entry<Value> = {
  key: string
  reading: Promise<Value | undefined>
  /** The cached value; undefined while it is being read. */
  value: Value | undefined
  whole: string | undefined
  startedAtMs: number
  endsAtMs: number
}

/**
 * Returns a cache. Concurrent calls for the same key share one read. The result that a value does not exist is not
 * cached.
 */
export function kept<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
  hearing: () => Hearing,
  { livesMs = () => LONGEST_MS, partOf = () => undefined }: About<Value> = {},
): Kept<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max: MOST, dispose: leave })
  // Indexes of `entries`, so that all entries that depend on an object can be dropped without a scan of the cache.
  const underWay = new Set<Entry<Value>>()
  const partsOf = new Map<string, Set<Entry<Value>>>()

  function isTrue({ value, startedAtMs, endsAtMs }: Entry<Value>, nowMs: number): boolean {
    if (nowMs >= endsAtMs) return false
    if (nowMs < startedAtMs + UNHEARD_MS) return true
    // The read may hang, so new callers do not wait for it.
    if (value === undefined) return false
    const { sinceMs, untilMs } = hearing()
    return startedAtMs >= sinceMs && nowMs < untilMs
  }

  function begin(key: string, startedAtMs: number): Entry<Value> {
    const entry: Entry<Value> = {
      key,
      // The read runs outside the caller's database scope, because all callers share the entry.
      reading: inScope(undefined, () => read(key)),
      value: undefined,
      whole: undefined,
      startedAtMs,
      endsAtMs: startedAtMs + LONGEST_MS,
    }
    entries.set(key, entry)
    underWay.add(entry)
    entry.reading.then(
      value => settle(entry, value),
      () => settle(entry, undefined),
    )
    return entry
  }

  function settle(entry: Entry<Value>, value: Value | undefined): void {
    // The entry was dropped while it was read, and its key may have another entry now.
    if (!underWay.delete(entry)) return
    if (value === undefined) {
      entries.delete(entry.key)
      return
    }
    entry.value = value
    entry.endsAtMs = entry.startedAtMs + Math.min(livesMs(value), LONGEST_MS)
    entry.whole = partOf(value)
    if (entry.whole === undefined) return
    const parts = partsOf.get(entry.whole) ?? new Set()
    partsOf.set(entry.whole, parts.add(entry))
  }

  function leave(entry: Entry<Value>): void {
    underWay.delete(entry)
    if (entry.whole === undefined) return
    const parts = partsOf.get(entry.whole)
    parts?.delete(entry)
    if (parts?.size === 0) partsOf.delete(entry.whole)
  }

  return {
    get(key) {
      const nowMs = performance.now()
      const entry = entries.get(key)
      return (entry && isTrue(entry, nowMs) ? entry : begin(key, nowMs)).reading
    },
    atHand(key) {
      const entry = entries.get(key)
      return entry && isTrue(entry, performance.now()) ? entry.value : undefined
    },
    // Also drops an entry that is being read, because that read may have started before the change. Later callers read
    // again.
    drop(key) {
      entries.delete(key)
    },
    dropPartsOf(whole) {
      for (const { key } of [...underWay, ...(partsOf.get(whole) ?? [])]) entries.delete(key)
    },
    dropAll() {
      entries.clear()
    },
  }
}
