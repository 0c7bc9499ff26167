// Whoever waits for a lock is waited for by everyone who comes after him: behind a dump of an hour, `alter table` would
// stop every request. So what changes tables waits for a moment, gives way, and comes again.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type Patience = { lockTimeoutMs: number; pauseMs: number; tries: number }

/** Shorter than requests wait for a lock; for as long as an hour altogether. */
export const patience: Patience = { lockTimeoutMs: 2_000, pauseMs: 4_000, tries: 600 }

/** Lock not available, and deadlock: nothing was done, and the same may pass later. */
const lockedCodes = new Set(['55P03', '40P01'])
const LOOK_MS = 500

/** A session by its application_name, where only one of that name changes anything at a time. */
type Session = { url: string; name: string }
type Waiting = { patience: Patience; say: (line: string) => void }

/** `attempt` can be made again after it failed for a lock. Says whom `what` waits for; so does the last error. */
export async function repeatWhileLocked(
  session: Session,
  what: string,
  { patience, say }: Waiting,
  attempt: () => Promise<void>,
): Promise<void> {
  const watch = watchLocks(session, held => say(`${what} waits for ${held}`))
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt()
      } catch (error) {
        if (!lockedCodes.has((error as { code?: string }).code ?? '')) throw error
        if (tries === patience.tries) throw stillLocked(error as Error, watch.lastHeld())
      }
      await pause(patience.pauseMs)
    }
  } finally {
    await watch.stop()
  }
}

const stillLocked = (error: Error, held: string | undefined): Error =>
  held === undefined ? error : new Error(`${error.message}; it waited for ${held}`, { cause: error })

/** Tells each lock that the session is seen waiting for, once. It connects only if there is time to wait. */
function watchLocks(session: Session, seen: (held: string) => void) {
  const stopped = new AbortController()
  const told = new Set<string>()
  let last: string | undefined
  const look = async () => {
    const client = new pg.Client({ connectionString: session.url, application_name: `${session.name}-watch` })
    client.on('error', () => {})
    try {
      await client.connect()
      while (!stopped.signal.aborted) {
        const held = (await client.query<{ held: string }>(heldLock, [session.name])).rows[0]?.held
        last = held ?? last
        if (held !== undefined && !told.has(held)) seen(held)
        if (held !== undefined) told.add(held)
        await pause(LOOK_MS, undefined, { signal: stopped.signal })
      }
    } finally {
      await client.end()
    }
  }
  // Without a second connection nothing is told, which stops nothing.
  const ended = pause(LOOK_MS, undefined, { signal: stopped.signal })
    .then(look)
    .catch(() => {})
  return {
    lastHeld: () => last,
    async stop() {
      stopped.abort()
      await ended
    },
  }
}

// Its query is not told: it may have in it what nobody should read in a log.
const heldLock = `
  select format('%s, held by %s since %s', coalesce('table ' || l.relation::regclass, 'a ' || l.locktype || ' lock'),
    coalesce(nullif(b.application_name, '') || ' (process ' || b.pid || ')', 'process ' || b.pid, 'a prepared transaction'),
    coalesce(to_char(b.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'a time unknown')) as held
  from pg_stat_activity mine
  join pg_locks l on l.pid = mine.pid and not l.granted
  cross join unnest(pg_blocking_pids(mine.pid)) as blocking (pid)
  left join pg_stat_activity b on b.pid = blocking.pid
  where mine.application_name = $1 and mine.datname = current_database()
  order by b.xact_start limit 1`
