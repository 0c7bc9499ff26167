// Retries schema changes that wait for a lock. While an `alter table` waits, for example for a database dump, it blocks
// every later statement on the table. Each attempt therefore waits only briefly for the lock. In the pause after an
// attempt, the blocked statements can run.

import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseClient } from '../primary/database-client.ts'

export type Patience = { lockTimeoutMs: number; pauseMs: number; tries: number }

/**
 * The time that each attempt waits for a lock, the pause between attempts, and the number of attempts. All
 * attempts and pauses together last about an hour.
 *
 * Requests wait longer for a lock than an attempt, so no request fails because of the migration. An attempt is also
 * shorter than PostgreSQL's deadlock_timeout (1 second). In a deadlock with a request, the migration therefore gives
 * up, and the request continues.
 */
export const patience: Patience = { lockTimeoutMs: 500, pauseMs: 4_000, tries: 800 }

/**
 * The SQLSTATEs for a lock timeout and a deadlock. After these errors, the statement has changed nothing, and a
 * retry may succeed.
 */
const lockedCodes = new Set(['55P03', '40P01'])
const LOOK_MS = 200

/**
 * The database session that runs the migration. The session is found by its application_name, because an
 * advisory lock allows only one migration session at a time.
 */
type Session = { url: string; name: string }
type Waiting = { patience: Patience; say: (line: string) => void }

/**
 * Retries `attempt` while another session holds a lock that the attempt needs. Logs the sessions that hold the lock. If
 * the last attempt fails, the error names these sessions. `attempt` must be safe to repeat.
 */
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

/**
 * Checks at intervals which lock the migration waits for, and reports each lock once. Connects to the
 * database only if the migration is still running after the first interval.
 */
function watchLocks(session: Session, seen: (held: string) => void) {
  const stopped = new AbortController()
  const told = new Set<string>()
  let last: string | undefined
  const look = async () => {
    const client = new DatabaseClient({
      connectionString: session.url,
      application_name: `${session.name}-watch`,
    })
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
  // A second database connection is needed to report the lock that the migration waits for. If this
  // connection cannot be opened, no lock is reported, and the migration continues.
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

// SQL that finds the lock that the session is waiting for. The SQL does not return the blocking query, because the text
// of that query may include sensitive values that must not be logged.
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
