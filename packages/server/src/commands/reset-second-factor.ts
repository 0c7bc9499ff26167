import { resetSecondFactor } from '../auth/second-factor/remove-factor.ts'
import { findFactors } from '../auth/second-factor/second-factor.sql.ts'
import { findUserOfAnyTenant } from '../auth/users/user.sql.ts'
import type { Db } from '../db/db.ts'
import type { Clock } from '../values/time.ts'
import { CommandError } from './command-error.ts'

/**
 * Removes the second factor of a user in any tenant, and returns the user's stored email address. Over HTTP, only
 * another admin of the tenant can do this. The Owner (the service's operator) therefore needs this command if its
 * only admin has lost the second factor.
 */
export async function resetFactorByEmail(app: { db: Db; clock: Clock }, given: string): Promise<string> {
  const user = await findUserOfAnyTenant(app.db, given)
  if (!user) throw new CommandError(`no user has the email address ${given}; check the spelling`)
  const { id: userId, tenantId, email } = user
  const { hasTotp, passkeys } = await findFactors(app.db, userId)
  if (!hasTotp && passkeys === 0)
    throw new CommandError(`${email} has no second factor; the password alone is enough to log in`)
  await resetSecondFactor(app, null, { tenantId, userId })
  return email
}
