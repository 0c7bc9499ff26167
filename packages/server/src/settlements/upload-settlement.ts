import type { App } from '../app.ts'
import { type Actor, act } from '../audit/act.ts'
import { dayOf } from '../day.ts'
import { GatewayError } from '../errors.ts'
import { fairly } from '../fairly.ts'
import { readSettlement } from './read-settlement.ts'
import {
  type AccountDay,
  deleteSettlement,
  insertSettlement,
  insertSettlementLines,
  lockAccountDay,
  type Settlement,
  sumSettlement,
} from './settlement.sql.ts'
import { viewSettlement } from './settlement-view.ts'

/** Each keeps a connection, of which the pool has 20, for as long as its file comes in. */
const withConnection = fairly({ all: 10, own: 5, what: 'uploads' })

/**
 * Puts the file in the place of what was uploaded for that account and day before: all of it, or nothing where
 * a line is at fault or the file breaks off. Throws RATE_LIMITED while five others are in flight.
 */
export async function uploadSettlement(
  app: Pick<App, 'db' | 'clock'>,
  owner: Actor,
  accountDay: AccountDay,
  csv: AsyncIterable<Buffer>,
): Promise<Settlement> {
  const at = app.clock()
  if (accountDay.date > dayOf(at)) throw new GatewayError('BAD_REQUEST', 'date: is still to come')
  return withConnection(owner?.tenantId ?? '', () =>
    act(app, owner, async tx => {
      await lockAccountDay(tx, accountDay)
      const before = await deleteSettlement(tx, accountDay)
      const id = await insertSettlement(tx, accountDay, at)
      for await (const lines of readSettlement(csv)) await insertSettlementLines(tx, id, accountDay, lines)
      const settlement = await sumSettlement(tx, id)
      return {
        result: settlement,
        action: 'settlement.upload',
        tenantId: null,
        subjectId: accountDay.accountId,
        before: before ? viewSettlement(before) : null,
        after: viewSettlement(settlement),
      }
    }),
  )
}
