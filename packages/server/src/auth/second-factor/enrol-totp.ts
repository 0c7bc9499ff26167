import { auditedTransaction } from '../../audit/audited-transaction.ts'
import { fault } from '../../faults/fault.ts'
import type { ClientDevice } from '../log-in/session.sql.ts'
import { enqueueSecurityChange } from '../users/security-change.sql.ts'
import { findUser, lockUserRow } from '../users/user.sql.ts'
import { type CodeApp, limitCodes, totpContext } from './check-code.ts'
import { type FactorOwner, factorChange, finishEnrolment } from './enrol.ts'
import { normalizedCode } from './recovery-code.ts'
import { type EnteredPassword, requirePasswordForFirstFactor } from './require-password.ts'
import { confirmTotpSecret, findTotpSecret, insertTotpSecret } from './second-factor.sql.ts'
import { newTotpSecret, totpStepOf, totpUri } from './totp.ts'

/** Creates the secret for an authenticator app. The secret takes effect when the user confirms it with a code. */
export async function startTotp(
  app: CodeApp,
  { tenantId, userId }: FactorOwner,
): Promise<{ secret: string; uri: string }> {
  const user = await findUser(app.db, tenantId, userId)
  if (!user) throw fault('access_token_invalid')
  const secret = newTotpSecret()
  const secretSealed = await app.secrets.encrypt(secret, totpContext(userId))
  if (!(await insertTotpSecret(app.db, { userId, secretSealed, at: app.clock() })))
    throw fault('totp_enabled')
  return { secret, uri: totpUri(secret, user.email) }
}

/**
 * Enables the authenticator app after checking its first code. The password is required only if the user has no second
 * factor yet (require-password.ts). Returns recovery codes if the user has none yet, and null otherwise.
 */
export async function confirmTotp(
  app: CodeApp,
  owner: FactorOwner,
  { code, client, ...entered }: { code: string; client: ClientDevice } & EnteredPassword,
): Promise<string[] | null> {
  const { userId, sessionId } = owner
  const secretSealed = await findTotpSecret(app.db, userId, false)
  if (secretSealed === undefined) throw fault('totp_not_started')
  await requirePasswordForFirstFactor(app, owner, entered)
  const secret = await app.secrets.decrypt(secretSealed, totpContext(userId))
  const known = `session ${sessionId}`
  const step = await limitCodes(
    app,
    { userId, source: entered.source, known },
    async () => totpStepOf(secret, normalizedCode(code), app.clock()) ?? false,
  )
  if (step === false) throw fault('code_wrong', {}, { field: 'code' })
  return auditedTransaction(app, owner, async tx => {
    const at = app.clock()
    await lockUserRow(tx, userId)
    if (!(await confirmTotpSecret(tx, { userId, secretSealed, step, at }))) throw fault('totp_not_started')
    await enqueueSecurityChange(tx, { userId, change: 'totp_added', at, client })
    return factorChange(owner, 'second_factor.enable_totp', await finishEnrolment(tx, { ...app, at }, owner))
  })
}
