import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db, Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { isId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { revokeSessionsOfUser } from '../log-in/session.sql.ts'
import { type FactorOwner, factorChange, renewRecoveryCodes } from './enrol.ts'
import { deletePasskey } from './passkey.sql.ts'
import {
  deleteFactors,
  deleteTotpSecret,
  findFactors,
  isFactorRequired,
  lockFactors,
} from './second-factor.sql.ts'

/** Removes the caller's authenticator app. */
export async function removeTotp(app: { db: Db }, owner: FactorOwner): Promise<void> {
  await removeFactor(app, owner, 'second_factor.disable_totp', async tx => {
    if (!(await deleteTotpSecret(tx, owner.userId))) throw fault('totp_not_enabled')
    return null
  })
}

/** Removes one of the caller's passkeys. */
export async function removePasskey(app: { db: Db }, owner: FactorOwner, id: string): Promise<void> {
  await removeFactor(app, owner, 'second_factor.remove_passkey', async tx => {
    const name = isId(id) ? await deletePasskey(tx, owner.userId, id) : undefined
    if (name === undefined) throw fault('passkey_not_found', { id })
    return { name }
  })
}

/**
 * Removes a factor. With the last factor, the recovery codes are also removed, because they have no use without a
 * factor.
 */
async function removeFactor(
  app: { db: Db },
  owner: FactorOwner,
  action: string,
  remove: (tx: Tx) => Promise<object | null>,
): Promise<void> {
  const { userId } = owner
  await auditedTransaction(app, owner, async tx => {
    await lockFactors(tx, userId)
    const removed = await remove(tx)
    const { hasTotp, passkeys } = await findFactors(tx, userId)
    if (!hasTotp && passkeys === 0) {
      if (await isFactorRequired(tx, userId)) throw fault('second_factor_kept')
      await deleteFactors(tx, userId)
    }
    return factorChange(owner, action, undefined, removed)
  })
}

/** Creates new recovery codes. The earlier codes stop working. */
export async function createRecoveryCodes(
  app: { db: Db; secrets: Secrets },
  owner: FactorOwner,
): Promise<string[]> {
  return auditedTransaction(app, owner, async tx => {
    await lockFactors(tx, owner.userId)
    const { hasTotp, passkeys } = await findFactors(tx, owner.userId)
    if (!hasTotp && passkeys === 0) throw fault('second_factor_missing')
    const codes = await renewRecoveryCodes(tx, app.secrets, owner.userId)
    return factorChange(owner, 'second_factor.renew_codes', codes)
  })
}

/**
 * Removes all factors of a user who has lost them, and ends the user's sessions. Afterwards, the password alone is
 * enough to log in. An admin of the team must therefore check who makes the request.
 */
export async function resetSecondFactor(
  app: { db: Db; clock: Clock },
  actor: Actor,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await auditedTransaction(app, actor, async tx => {
    await lockFactors(tx, userId)
    await deleteFactors(tx, userId)
    await revokeSessionsOfUser(tx, userId, app.clock())
    return {
      result: undefined,
      action: 'second_factor.reset',
      tenantId,
      subjectId: userId,
      before: null,
      after: null,
    }
  })
}
