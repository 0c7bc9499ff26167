import type { App } from '../app.ts'
import { act } from '../audit/act.ts'
import { makeChecksDue } from './recheck-payments.sql.ts'

/**
 * Lets the workers ask the providers now about every payment that may have been paid without our knowing: after a
 * restore what happened since the backup is known to them alone. Returns how many.
 */
export async function recheckPayments(app: Pick<App, 'db'>): Promise<number> {
  return act(app, null, async tx => {
    const count = await makeChecksDue(tx)
    return {
      result: count,
      action: 'payments.recheck',
      tenantId: null,
      subjectId: null,
      before: null,
      after: { payments: count },
    }
  })
}
