// A process that deletes data past its retention period, like the service's hourly job.

import { createLog } from '../../packages/server/src/logging/log.ts'
import { deleteExpired } from '../../packages/server/src/retention/delete-expired.ts'
import { dropPartition, tryLockPartitions } from '../../packages/server/src/retention/partition.sql.ts'
import { defaultRetention } from '../../packages/server/src/retention/retention.ts'
import {
  addOldEvents,
  addOldPartitions,
  countOldEvents,
  OLD_DAYS,
  oldPartition,
} from '../data/old-data.sql.ts'
import type { Tenant } from '../host/database.ts'
import { answer, configured, type Partner, startPartner } from '../host/partner.ts'
import type { Stage } from '../measure.ts'
import { composeAt, type Place } from './compose.ts'

type Config = Place & { tenants: Tenant[] }
type Answers = {
  addPartitions(of: { rounds: number; rowsOfEach: number }): Promise<void>
  addEvents(count: number): Promise<void>
  /**
   * Starts a benchmark round: begins to delete the old events, and drops the round's partition of old
   * delivery attempts.
   */
  begin(round: number): Promise<void>
  /** Stops the deletion of old events. Returns how many old events have not been deleted. */
  end(): Promise<number>
}

export const startRetention = ({ database: { url, masterKey, tenants } }: Stage): Promise<Partner<Answers>> =>
  startPartner<Answers>(import.meta.filename, { config: { url, masterKey, tenants } satisfies Config })

async function run({ tenants, ...place }: Config): Promise<void> {
  const { app, close } = await composeAt(place)
  const { db } = app
  const deps = {
    db,
    clock: () => new Date(),
    log: createLog('error'),
    retention: { ...defaultRetention, eventDays: OLD_DAYS - 1 },
  }
  let stop = new AbortController()
  let deletion: Promise<unknown> = Promise.resolve()

  async function dropOldPartition(round: number): Promise<void> {
    await db.transaction(async tx => {
      await tryLockPartitions(tx)
      await dropPartition(tx, 'webhook_attempts', { name: oldPartition(round), before: new Date() })
    })
  }
  answer(
    {
      addPartitions: ({ rounds, rowsOfEach }) => addOldPartitions(db, rounds, rowsOfEach),
      addEvents: (count: number) => addOldEvents(db, tenants, count),
      async begin(round: number) {
        stop = new AbortController()
        deletion = Promise.all([deleteExpired(deps, stop.signal), dropOldPartition(round)])
      },
      async end() {
        stop.abort()
        await deletion
        return countOldEvents(db)
      },
    } satisfies Answers,
    close,
  )
}

if (process.argv[1] === import.meta.filename) await run(await configured<Config>())
