import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { firstIdAt } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { findUserByEmail } from '../auth.sql.ts'
import { isAttackRecorded } from './login-attack.sql.ts'
import { countFailures } from './login-throttle.sql.ts'
import { FORGOTTEN_AFTER_MS } from './login-throttle.ts'

/**
 * Handles the job for an attack on a user's account. Reports the attack in one log line and one audit log entry, at
 * most once a day per user.
 */
export async function recordLoginAttack(
  app: { db: Db; secrets: Secrets; log: Logger },
  { address, at }: { address: string; at: Date },
): Promise<void> {
  const { user } = await findUserByEmail(app.db, address)
  if (!user || (await isAttackRecorded(app.db, user, firstIdAt(after(at, -FORGOTTEN_AFTER_MS))))) return
  const { failures, sources } = await countFailures(app.db, app.secrets.hash(address))
  await auditedTransaction(app, null, async () => ({
    result: undefined,
    action: 'user.under_attack',
    tenantId: user.tenantId,
    subjectId: user.id,
    before: null,
    after: { email: address, failed_log_ins: failures, sources },
  }))
  app.log.warn(
    { tenantId: user.tenantId, userId: user.id, failures, sources },
    'a user account has many failed logins; logins from unknown devices are now delayed, but logins from known devices are not',
  )
}
