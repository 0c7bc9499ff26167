import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { listTenantIds } from '../retention/expired.sql.ts'
import { firstIdAt } from '../values/id.ts'
import { after } from '../values/time.ts'
import type { Progress } from './process-io.ts'
import {
  BEFORE_ALL_OPEN,
  listLaterPayments,
  listOpenPayments,
  makeChecksDue,
  openStatuses,
} from './recheck-payments.sql.ts'

/**
 * `page` is the number of payments in a page. `progress` is the number of payments after which the command
 * reports its progress.
 */
const sizes = { page: 1_000, progress: 10_000 }

/**
 * The maximum age of an ended, unpaid payment that is checked: 30 days until expiry and three more days of polling,
 * plus another 30 days because a repeated charge restarts the expiry.
 */
const OLDEST_ENDED_MS = 63 * 24 * 3_600_000

/** A page of payments: how many payments were read, and the IDs of the payments that need a status inquiry. */
type Page = { tenantId: string; read: number; ids: string[] }

/**
 * Used after restoring a backup, because only the providers know what has happened since the backup. Schedules an
 * immediate status inquiry for every payment that may have been paid since then. These are the open payments, and the
 * unpaid payments that expired or ended less than 72 hours ago. Returns their number.
 */
export async function recheckPayments(
  { db, progress }: { db: Db; progress: Progress },
  { page: pageSize, progress: progressEvery } = sizes,
): Promise<number> {
  let [read, scheduled, nextReport] = [0, 0, progressEvery]
  // Each page of payments is committed separately, so that payments are locked only briefly. After an interruption, the
  // next run schedules the inquiries for the remaining payments.
  for await (const page of pagesToRecheck(db, pageSize)) {
    if (page.ids.length > 0) scheduled += await makeChecksDue(db, page.tenantId, page.ids)
    read += page.read
    if (read < nextReport) continue
    progress(`${read} payments checked, ${scheduled} scheduled for a status inquiry`)
    nextReport = read + progressEvery
  }
  await auditedTransaction({ db }, null, async () => ({
    result: undefined,
    action: 'payments.recheck',
    tenantId: null,
    subjectId: null,
    before: null,
    after: { payments: scheduled },
  }))
  return scheduled
}

async function* pagesToRecheck(db: Db, size: number): AsyncGenerator<Page> {
  const firstId = firstIdAt(after(new Date(), -OLDEST_ENDED_MS))
  for (const tenantId of await listTenantIds(db)) {
    for (const mode of ['live', 'test'] as const)
      for (const status of openStatuses)
        yield* pagesOf(tenantId, size, BEFORE_ALL_OPEN, last =>
          listOpenPayments(db, { tenantId, mode, status }, last, size),
        )
    yield* pagesOf(tenantId, size, { id: firstId }, ({ id }) => listLaterPayments(db, tenantId, id, size))
  }
}

/** Yields pages of a tenant's payments. `list` reads the page after a position. */
async function* pagesOf<Position>(
  tenantId: string,
  size: number,
  start: Position,
  list: (after: Position) => Promise<(Position & { id: string; matches: boolean })[]>,
): AsyncGenerator<Page> {
  for (let position = start, isLast = false; !isLast; ) {
    const rows = await list(position)
    yield { tenantId, read: rows.length, ids: rows.filter(({ matches }) => matches).map(({ id }) => id) }
    position = rows.at(-1) ?? position
    isLast = rows.length < size
  }
}
