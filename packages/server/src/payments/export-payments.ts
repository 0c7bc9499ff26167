import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { fairly } from '../fairly.ts'
import { ofTenant } from '../large-reads.ts'
import { exportPayment, type PaymentLine } from './payment-export.ts'
import type { PaymentFilter } from './payment-list.sql.ts'
import { readPage } from './read-page.ts'

/** Read at a time: so many are in memory, whatever a tenant has, and fewer where they are large (read-page.ts). */
const PAGE = 250
/** So many lines are made without a pause in which other requests go on. */
const LINES_AT_ONCE = 25

/** Each lasts for as long as its caller takes what it is given, and uses the database only while a page is read. */
const withPlace = fairly({ all: 64, own: 2, what: 'exports' })

/** All that meet the filter, newest first, each once. write resolves when there is room for another line. */
export const exportPayments = (
  app: Pick<App, 'db'>,
  filter: PaymentFilter,
  write: (line: PaymentLine) => Promise<void>,
): Promise<void> =>
  withPlace(filter.tenantId, async () => {
    let count = 0
    let afterId: string | undefined
    let hasMore = true
    let firstRows: number | undefined
    while (hasMore) {
      let taken = () => {}
      const reader = {
        owner: filter.tenantId,
        whenTaken: (run: () => void) => {
          taken = run
        },
      }
      const page = await ofTenant(reader, () => readPage(app.db, filter, afterId, PAGE, firstRows))
      try {
        for (const payment of page.rows) {
          await write(exportPayment(payment))
          if (++count % LINES_AT_ONCE === 0) await endOfTurn()
        }
      } finally {
        taken()
      }
      afterId = page.rows.at(-1)?.id
      hasMore = page.hasMore
      firstRows = page.rows.length + 1
    }
    await write({ type: 'end', count })
  })
