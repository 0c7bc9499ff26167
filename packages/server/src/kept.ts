// Configuration that every request needs and that seldom changes. It is kept until the database tells of a change
// (db/changes.ts), and for half a second at most while nobody can be sure to hear of one; so what is revoked or
// changed holds in every process within a second, whether or not any message reaches it.

import { LRUCache } from 'lru-cache'

const UNHEARD_MS = 500
/** What a restore or a replication changed fires no trigger, and nobody is told. */
const LONGEST_MS = 60_000
const MOST = 10_000

/** In milliseconds of performance.now(): what was read since then, and was not dropped, is true until then. */
export type Hearing = { sinceMs: number; untilMs: number }
export const deaf: Hearing = { sinceMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY }

export type Kept<Value> = {
  get(key: string): Promise<Value | undefined>
  drop(key: string): void
  dropWhere(concerns: (value: Value) => boolean): void
  dropAll(): void
}

type Entry<Value> = {
  reading: Promise<Value | undefined>
  /** Undefined while it is read. */
  value: Value | undefined
  startedAtMs: number
  endsAtMs: number
}

/**
 * Concurrent calls for one key share one read; what is absent is read again each time. livesMs: how long a value
 * stays true by itself, from the moment at which it was read.
 */
export function kept<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
  hearing: () => Hearing,
  livesMs: (value: Value) => number = () => LONGEST_MS,
): Kept<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max: MOST })

  function isTrue({ value, startedAtMs, endsAtMs }: Entry<Value>, nowMs: number): boolean {
    if (nowMs >= endsAtMs) return false
    if (nowMs < startedAtMs + UNHEARD_MS) return true
    // A read that hangs is nobody's to wait for.
    if (value === undefined) return false
    const { sinceMs, untilMs } = hearing()
    return startedAtMs >= sinceMs && nowMs < untilMs
  }

  function begin(key: string, startedAtMs: number): Entry<Value> {
    const reading = read(key)
    const entry: Entry<Value> = { reading, value: undefined, startedAtMs, endsAtMs: startedAtMs + LONGEST_MS }
    const forget = () => {
      if (entries.peek(key) === entry) entries.delete(key)
    }
    reading.then(value => {
      if (value === undefined) return forget()
      entry.value = value
      entry.endsAtMs = startedAtMs + Math.min(livesMs(value), LONGEST_MS)
    }, forget)
    entries.set(key, entry)
    return entry
  }

  return {
    get(key) {
      const nowMs = performance.now()
      const entry = entries.get(key)
      return (entry && isTrue(entry, nowMs) ? entry : begin(key, nowMs)).reading
    },
    // A read under way may have begun before the change. It is dropped, too: whoever asks from now on reads anew.
    drop(key) {
      entries.delete(key)
    },
    dropWhere(concerns) {
      for (const [key, { value }] of [...entries.entries()])
        if (value === undefined || concerns(value)) entries.delete(key)
    },
    dropAll() {
      entries.clear()
    },
  }
}
