import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db, Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { SecurityChange } from '../../mail/security-change-mail.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { isId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { type ClientDevice, revokeSessionsOfUser } from '../log-in/session.sql.ts'
import { enqueueSecurityChange } from '../users/security-change.sql.ts'
import { lockUserRow } from '../users/user.sql.ts'
import { type FactorOwner, factorChange, renewRecoveryCodes } from './enrol.ts'
import { deletePasskey } from './passkey.sql.ts'
import { deleteFactors, deleteTotpSecret, findFactors, isFactorRequired } from './second-factor.sql.ts'

type FactorApp = { db: Db; clock: Clock }

/** Removes the caller's authenticator app as a second factor. */
export async function removeTotp(app: FactorApp, owner: FactorOwner, client: ClientDevice): Promise<void> {
  const kind = { action: 'second_factor.disable_totp', change: 'totp_removed', client } as const
  await removeFactor(app, owner, kind, async tx => {
    if (!(await deleteTotpSecret(tx, owner.userId))) throw fault('totp_not_enabled')
    return null
  })
}

/** Removes one of the caller's passkeys, so that it is no longer a second factor. */
export async function removePasskey(
  app: FactorApp,
  owner: FactorOwner,
  { id, client }: { id: string; client: ClientDevice },
): Promise<void> {
  const kind = { action: 'second_factor.remove_passkey', change: 'passkey_removed', client } as const
  await removeFactor(app, owner, kind, async tx => {
    const name = isId(id) ? await deletePasskey(tx, owner.userId, id) : undefined
    if (name === undefined) throw fault('passkey_not_found', { id })
    return { name }
  })
}

/** Removes a second factor. If the user has no other factor, also removes the recovery codes. */
async function removeFactor(
  app: FactorApp,
  owner: FactorOwner,
  { action, change, client }: { action: string; change: SecurityChange; client: ClientDevice },
  remove: (tx: Tx) => Promise<object | null>,
): Promise<void> {
  const { userId } = owner
  await auditedTransaction(app, owner, async tx => {
    await lockUserRow(tx, userId)
    const removed = await remove(tx)
    const { hasTotp, passkeys } = await findFactors(tx, userId)
    if (!hasTotp && passkeys === 0) {
      if (await isFactorRequired(tx, userId)) throw fault('second_factor_kept')
      await deleteFactors(tx, userId)
    }
    await enqueueSecurityChange(tx, { userId, change, at: app.clock(), client })
    return factorChange(owner, action, undefined, removed)
  })
}

/** Creates new recovery codes for the caller. The caller's earlier recovery codes stop working. */
export async function createRecoveryCodes(
  app: FactorApp & { secrets: Secrets },
  owner: FactorOwner,
  client: ClientDevice,
): Promise<string[]> {
  const { userId } = owner
  return auditedTransaction(app, owner, async tx => {
    await lockUserRow(tx, userId)
    const { hasTotp, passkeys } = await findFactors(tx, userId)
    if (!hasTotp && passkeys === 0) throw fault('second_factor_missing')
    const codes = await renewRecoveryCodes(tx, app.secrets, userId)
    await enqueueSecurityChange(tx, { userId, change: 'recovery_codes_renewed', at: app.clock(), client })
    return factorChange(owner, 'second_factor.renew_codes', codes)
  })
}

/**
 * Removes all second factors of a user who has lost them, and ends the user's sessions. Afterward, the password
 * alone is enough to log in. The admin or operator must therefore verify the loss first.
 */
export async function resetSecondFactor(
  app: FactorApp,
  actor: Actor,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  const at = app.clock()
  const change = actor ? 'second_factor_reset_by_admin' : 'second_factor_reset_by_operator'
  await auditedTransaction(app, actor, async tx => {
    await lockUserRow(tx, userId)
    const { hasTotp, passkeys } = await findFactors(tx, userId)
    await deleteFactors(tx, userId)
    await revokeSessionsOfUser(tx, userId, at)
    if (hasTotp || passkeys > 0) await enqueueSecurityChange(tx, { userId, change, at, client: null })
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
