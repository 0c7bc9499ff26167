import type { Db } from '../db/db.ts'
import type { Clock } from '../values/time.ts'
import { readClock } from './partition.sql.ts'

/**
 * Returns the earlier of PostgreSQL's time and this process's time, so that one wrong clock cannot cause a year of
 * records to be deleted.
 */
export async function readEarlierClock(app: { clock: Clock }, db: Db): Promise<Date> {
  return new Date(Math.min((await readClock(db)).getTime(), app.clock().getTime()))
}
