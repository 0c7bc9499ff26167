import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { inquireAndRecord } from '../payments/inquire/inquire-and-record.ts'
import type { Payment } from '../payments/payment.ts'
import type { RecordInBatch } from '../payments/record/event-batch.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import type { Clock } from '../values/time.ts'
import { getUnknownPayment } from './get-unknown-payment.ts'

/**
 * Sends a status inquiry to the provider about a charge whose outcome is unknown. If the provider reports no
 * status, the payment does not change.
 */
export async function inquireUnknownPayment(
  app: {
    db: Db
    accountOf: LoadAccount
    health: ProviderHealth
    recordInBatch: RecordInBatch
    clock: Clock
    log: Logger
    publicUrl: string
  },
  owner: Actor,
  id: string,
): Promise<Payment> {
  const payment = await getUnknownPayment(app, id)
  // The provider is called outside of any transaction, so that no database locks are held while its response
  // is slow.
  const refreshed = await inquireAndRecord(app, payment)
  return auditedTransaction(app, owner, async () => ({
    result: refreshed,
    action: 'unknown_payment.inquire',
    tenantId: payment.tenantId,
    subjectId: payment.id,
    before: { status: payment.status },
    after: { status: refreshed.status },
  }))
}
