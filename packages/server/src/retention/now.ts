import type { Db } from '../db/db.ts'
import type { Clock } from '../values/time.ts'
import { readClock } from './partition.sql.ts'

/**
 * Reads the clocks of PostgreSQL and of this process, and returns the earlier time. One clock that runs
 * ahead, for example by a year, therefore cannot cause the deletion of a year of records.
 */
export async function readEarlierClock(app: { clock: Clock }, db: Db): Promise<Date> {
  return new Date(Math.min((await readClock(db)).getTime(), app.clock().getTime()))
}
