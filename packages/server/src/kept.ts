// Configuration that every request needs and that seldom changes. It is kept until the database tells of a change
// (db/changes.ts), and for half a second at most while nobody can be sure to hear of one; so what is revoked or
// changed holds in every process within a second, whether or not any message reaches it.

import { LRUCache } from 'lru-cache'
import { inScope } from './db/scope.ts'

const UNHEARD_MS = 500
/** What a restore, a replication or TRUNCATE changed fires no trigger for a row, and nobody is told. */
const LONGEST_MS = 60_000
const MOST = 10_000

/** In milliseconds of performance.now(): what was read since then, and was not dropped, is true until then. */
export type Hearing = { sinceMs: number; untilMs: number }
export const deaf: Hearing = { sinceMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY }

export type Kept<Value> = {
  get(key: string): Promise<Value | undefined>
  /** Without reading: undefined where that would be needed. */
  atHand(key: string): Value | undefined
  drop(key: string): void
  /** Of what `partOf` names. */
  dropPartsOf(whole: string): void
  dropAll(): void
}

type About<Value> = {
  /** How long a value stays true by itself, from the moment at which it was read. */
  livesMs?: (value: Value) => number
  /** What else it was read from: a change of that may change the value. */
  partOf?: (value: Value) => string | undefined
}

type Entry<Value> = {
  key: string
  reading: Promise<Value | undefined>
  /** Undefined while it is read. */
  value: Value | undefined
  whole: string | undefined
  startedAtMs: number
  endsAtMs: number
}

/** Concurrent calls for one key share one read; what is absent is read again each time. */
export function kept<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
  hearing: () => Hearing,
  { livesMs = () => LONGEST_MS, partOf = () => undefined }: About<Value> = {},
): Kept<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max: MOST, dispose: leave })
  // Of what is in entries. Many may change at once, and each of them finds its own without a look at the others.
  const underWay = new Set<Entry<Value>>()
  const partsOf = new Map<string, Set<Entry<Value>>>()

  function isTrue({ value, startedAtMs, endsAtMs }: Entry<Value>, nowMs: number): boolean {
    if (nowMs >= endsAtMs) return false
    if (nowMs < startedAtMs + UNHEARD_MS) return true
    // A read that hangs is nobody's to wait for.
    if (value === undefined) return false
    const { sinceMs, untilMs } = hearing()
    return startedAtMs >= sinceMs && nowMs < untilMs
  }

  function begin(key: string, startedAtMs: number): Entry<Value> {
    const entry: Entry<Value> = {
      key,
      // It is kept for everybody, whoever asks first.
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
    // Dropped meanwhile; under its key there may be another.
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
    // A read under way may have begun before the change. It is dropped, too: whoever asks from now on reads anew.
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
