// A background job for refunds whose next refund request or status inquiry is due. If a process recorded a refund but
// crashed before it sent the refund request, this job sends the request. For pending refunds, the job sends inquiries
// at increasing intervals.

import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import type { Clock } from '../../values/time.ts'
import { claimDueRefunds } from '../record/refund.sql.ts'
import type { PaymentRefund } from '../record/refund.ts'
import { claimedUntil, inquireRefund, sendRefund } from './send-refund.ts'

/** The maximum number of refunds that one call of `sweepDueRefunds` processes. */
const AT_ONCE = 50

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicIp: string | undefined
}

/**
 * Sends the refund requests and status inquiries that are due, for up to `AT_ONCE` refunds. Returns true if any refund
 * was due, because more refunds may still be due.
 */
export async function sweepDueRefunds(app: Deps): Promise<boolean> {
  const now = app.clock()
  const due = await claimDueRefunds(app.db, { now, until: claimedUntil(now), limit: AT_ONCE })
  await Promise.all(
    due.map(refund =>
      continueRefund(app, refund).catch(error =>
        app.log.error(
          { err: error, refundId: refund.id },
          'a refund request or its status inquiry failed; it will be retried',
        ),
      ),
    ),
  )
  return due.length > 0
}

const continueRefund = (app: Deps, refund: PaymentRefund): Promise<PaymentRefund> =>
  refund.requestedAt === null ? sendRefund(app, refund) : inquireRefund(app, refund)
