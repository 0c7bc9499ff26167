import type { App } from '../app.ts'
import type { Db } from '../db/db.ts'
import { readClock } from './partition.sql.ts'

/**
 * The earlier of PostgreSQL's clock and our own, so that one clock that is a year ahead cannot delete a year of
 * records.
 */
export async function readNow(app: Pick<App, 'clock'>, db: Db): Promise<Date> {
  return new Date(Math.min((await readClock(db)).getTime(), app.clock().getTime()))
}
