import type { Clock } from '../values/time.ts'
import type { Db } from './db.ts'

/** Reads PostgreSQL's clock. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await db.raw<{ rows: [{ now: Date }] }>('select now()')
  return rows[0].now
}

/**
 * Returns the earlier of two times: PostgreSQL's and this process's. If only one clock were used, a clock that is a
 * year ahead could cause a year of records to be deleted.
 */
export async function readEarlierClock(app: { clock: Clock }, db: Db): Promise<Date> {
  return new Date(Math.min((await readClock(db)).getTime(), app.clock().getTime()))
}
