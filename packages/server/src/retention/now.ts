import type { App } from '../app.ts'
import type { Db } from '../db/db.ts'
import { readClock } from './partition.sql.ts'

/** The earlier of PostgreSQL's clock and our own: one that is a year ahead must not end a year of proofs. */
export async function readNow(app: Pick<App, 'clock'>, db: Db): Promise<Date> {
  return new Date(Math.min((await readClock(db)).getTime(), app.clock().getTime()))
}
