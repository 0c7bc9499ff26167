import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db, Tx } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import type { Logger } from '../logging/log.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import { ProviderError } from '../providers/provider.ts'
import { isId } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import { completeByInquiry } from './apply-callbacks.ts'
import { type Callback, findCallback } from './callback.sql.ts'
import { inquireForCallback } from './callback-inquiries.ts'
import { readMessages } from './callback-message.ts'
import { mainResult, recordCallbacks, type UpdateResult } from './record-callbacks.ts'
import { deleteUnreadable } from './unreadable-callback.sql.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicUrl: string
}

/**
 * Applies a stored callback again, for example after an adapter fix. With `dryRun`, the changes are made and rolled
 * back, so the returned preview is exact.
 */
export async function reprocessCallback(
  app: Deps,
  owner: Actor,
  id: string,
  { dryRun }: { dryRun: boolean },
): Promise<UpdateResult> {
  const callback = isId(id) ? await findCallback(app.db, id) : undefined
  if (!callback) throw fault('provider_callback_not_found', { id })
  const read = await readWithInquiries(app, callback)
  const apply = async (tx: Tx) => {
    const [settled] = await recordCallbacks(app, tx, [read], { isFinal: true })
    const result = mainResult(settled?.applied ?? [])
    if (result.status !== 'unreadable') await deleteUnreadable(tx, id)
    return result
  }
  if (dryRun) return runAndRollBack(app, apply)
  return auditedTransaction(app, owner, async tx => {
    const result = await apply(tx)
    return {
      result,
      action: 'callback.reprocess',
      tenantId: result.tenantId,
      subjectId: id,
      before: { payment_id: result.paymentId, status: result.from },
      after: { payment_id: result.paymentId, status: result.to, outcome: result.status },
    }
  })
}

/**
 * Parses the callback and sends the provider the status inquiries that it needs. To find these inquiries, applies the
 * callback once in a transaction that is rolled back.
 */
async function readWithInquiries(app: Deps, callback: Callback) {
  const read = await readMessages(app, callback)
  const [settled] = await runAndRollBack(app, tx => recordCallbacks(app, tx, [read], { isFinal: true }))
  try {
    return await completeByInquiry(app, read, settled?.neededInquiries ?? [], neededInquiry =>
      inquireForCallback(app, neededInquiry),
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const loaded = await app.accountOf(callback.providerAccountId)
    throw fault('provider_failed', {
      provider: loaded?.provider.code ?? 'unknown',
      reason: error.message,
    })
  }
}

async function runAndRollBack<Result>(app: { db: Db }, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  const tx = await app.db.transaction()
  // A dry run always rolls back its transaction, which rejects the transaction's `executionPromise`. This
  // rejection is expected and therefore ignored.
  tx.executionPromise.catch(() => {})
  try {
    return await run(tx)
  } finally {
    await tx.rollback(new Error('this was a dry run'))
  }
}
