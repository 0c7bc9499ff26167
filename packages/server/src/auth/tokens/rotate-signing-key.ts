import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { after, type Clock } from '../../values/time.ts'
import { RETIRED_AFTER_MS, sealNewSigningKey } from './key-ring.ts'
import { insertNextSigningKey } from './signing-key.sql.ts'

/**
 * Creates a new key for signing access tokens. No user is logged out, because tokens signed with earlier keys stay
 * valid until they expire.
 */
export async function rotateSigningKey(
  app: { db: Db; secrets: Secrets; clock: Clock },
  actor: Actor,
): Promise<{ kid: string; followed: string[]; retiredAt: Date }> {
  const key = await sealNewSigningKey(app.secrets)
  const at = app.clock()
  const retiredAt = after(at, RETIRED_AFTER_MS)
  return auditedTransaction(app, actor, async tx => {
    const followed = await insertNextSigningKey(tx, key, at, retiredAt)
    return {
      result: { kid: key.kid, followed, retiredAt },
      action: 'signing_key.rotate',
      tenantId: null,
      subjectId: key.kid,
      before: { kids: followed },
      after: { kid: key.kid, retired_at: retiredAt.toISOString() },
    }
  })
}
