import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Db } from '../../db/db.ts'
import type { ListOrder } from '../../db/list-order.ts'
import { fairLimit } from '../../fairness/fair-limit.ts'
import { limitLargeReads } from '../../fairness/large-read-limit.ts'
import { exportPayment, type PaymentLine } from './export-line.ts'
import type { PaymentFilter } from './payment-filter.sql.ts'
import { readPaymentPage } from './read-payment-page.ts'

/**
 * The maximum number of payments per page, which limits an export's memory use. A page of large payments contains
 * fewer (read-payment-page.ts).
 */
const PAGE = 250
/** After writing this many lines, the export yields to the event loop so that other requests can proceed. */
const LINES_AT_ONCE = 25

/**
 * Limits concurrent exports. An export counts toward the limit until its client has received all data. It holds a
 * database connection only while reading a page.
 */
const withExportSlot = fairLimit({ all: 64, own: 2, what: 'exports' })

/**
 * Exports every payment that matches the filter exactly once, in the given order. `write` resolves when the client
 * can receive another line.
 */
export const exportPayments = (
  app: { db: Db },
  filter: PaymentFilter,
  order: ListOrder,
  write: (line: PaymentLine) => Promise<void>,
): Promise<void> =>
  withExportSlot(filter.tenantId, async () => {
    let count = 0
    let afterId: string | undefined
    let firstRows: number | undefined
    do {
      let taken = () => {}
      const reader = {
        owner: filter.tenantId,
        onReceived: (run: () => void) => {
          taken = run
        },
      }
      const page = await limitLargeReads(reader, () =>
        readPaymentPage(app.db, filter, { order, afterId }, PAGE, firstRows),
      )
      try {
        for (const payment of page.rows) {
          await write(exportPayment(payment))
          if (++count % LINES_AT_ONCE === 0) await endOfTurn()
        }
      } finally {
        taken()
      }
      afterId = page.resumeAfterId
      firstRows = page.rows.length + 1
    } while (afterId !== undefined)
    await write({ type: 'end', count })
  })
