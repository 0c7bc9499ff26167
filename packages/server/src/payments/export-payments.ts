import type { App } from '../app.ts'
import { atMost } from '../at-most.ts'
import { exportPayment, type PaymentLine } from './payment-export.ts'
import { listPayments, type PaymentFilter } from './payment-list.sql.ts'

/**
 * Read at a time: so many are in memory, whatever a tenant has. A payment may have a hundred items, so this is 15 MB at
 * the most.
 */
const PAGE = 250

/**
 * Each lasts for as long as its caller takes what it is given. A connection of the database is used while a page is read
 * alone; of the places a tenant has two, so four tenants who read slowly keep the others waiting.
 */
const ofTheProcess = atMost(8, 'eight exports are being made')
const ofTheTenant = atMost(2, 'two exports of yours are being made')

/** All that meet the filter, newest first, each once. write resolves when there is room for another line. */
export const exportPayments = (
  app: Pick<App, 'db'>,
  filter: PaymentFilter,
  write: (line: PaymentLine) => Promise<void>,
): Promise<void> =>
  ofTheTenant(
    () =>
      ofTheProcess(async () => {
        let count = 0
        let afterId: string | undefined
        do {
          const page = await listPayments(app.db, filter, afterId, PAGE)
          for (const payment of page) await write(exportPayment(payment))
          count += page.length
          afterId = page.length < PAGE ? undefined : page.at(-1)?.id
        } while (afterId !== undefined)
        await write({ type: 'end', count })
      }),
    filter.tenantId,
  )
