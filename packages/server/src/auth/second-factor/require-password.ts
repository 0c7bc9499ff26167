import { fault } from '../../faults/fault.ts'
import { findLoginTime } from '../log-in/session.sql.ts'
import { checkCurrentPassword } from '../passwords/check-current-password.ts'
import { isRecentProof } from './challenge.ts'
import type { CodeApp } from './check-code.ts'
import type { FactorOwner } from './enrol.ts'
import { findFactors } from './second-factor.sql.ts'

/**
 * `currentPassword` is the current password that a user entered to add a second factor. `source` is the user's IP
 * address.
 */
export type EnteredPassword = { currentPassword: string | undefined; source: string }

/**
 * Checks the password of a user who has no second factor yet and adds one. Without this check, an attacker with a
 * stolen session could add a factor and lock the user out. Within 15 minutes after a login, the password may be
 * omitted. A user who already has a second factor confirms that factor instead (`stepUp` in the procedure's
 * definition).
 */
export async function requirePasswordForFirstFactor(
  app: CodeApp,
  owner: FactorOwner,
  { currentPassword, source }: EnteredPassword,
): Promise<void> {
  const { hasTotp, passkeys } = await findFactors(app.db, owner.userId)
  if (hasTotp || passkeys > 0) return
  if (currentPassword === undefined) {
    const loggedInAt = await findLoginTime(app.db, owner.sessionId)
    if (isRecentProof(loggedInAt ?? null, app.clock())) return
    throw fault('required', {}, { field: 'current_password' })
  }
  await checkCurrentPassword(app, owner, { currentPassword, source })
}
