import type { Db } from '../db/db.ts'
import type { Clock } from '../values/time.ts'
import { readClock } from './partition.sql.ts'

/**
 * Returns the earlier time of PostgreSQL's clock and our own, so that one clock that is a year ahead cannot cause a
 * year of records to be deleted.
 */
export async function readEarlierClock(app: { clock: Clock }, db: Db): Promise<Date> {
  return new Date(Math.min((await readClock(db)).getTime(), app.clock().getTime()))
}
