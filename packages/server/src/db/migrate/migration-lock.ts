import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

// The advisory lock number for migrations ("gapura" in ASCII). No other advisory lock in the database may have this
// number.
const migrationLock = 0x676170757261n
const POLL_MS = 1_000

/**
 * Waits until no other process changes the schema, and prevents others from changing it. The lock belongs to the
 * database session, so it is released when the process ends.
 *
 * Polls the lock, because waiting in `pg_advisory_lock` could cause a deadlock. The process with the lock may run
 * `create index concurrently`, which waits for all running statements with a snapshot. A statement that waits for the
 * lock would be one of these statements.
 */
export async function lockMigrations(client: pg.ClientBase, say: (line: string) => void): Promise<void> {
  for (let isFirst = true; !(await tryLock(client)); isFirst = false) {
    if (isFirst) say('waits for another process that is migrating or distributing the database')
    await pause(POLL_MS)
  }
}

async function tryLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    migrationLock,
  ])
  return rows[0]?.locked === true
}
