import { z } from 'zod'
import { auditedTransaction } from '../audit/audited-transaction.ts'
import { hashPassword } from '../auth/passwords/password-hash.ts'
import { newPassword } from '../auth/users/user-input.ts'
import type { Db } from '../db/db.ts'
import { ruleText } from '../faults/rule.ts'
import { newId } from '../values/id.ts'
import { ruleOf } from '../values/input-rules.ts'
import { text } from '../values/text.ts'
import { CommandError, USAGE } from './command-error.ts'
import { insertOwner } from './owner.sql.ts'

const owner = z.object({
  email: text().pipe(z.email('must be an email address')),
  name: text().min(1, 'must not be empty'),
})

export function ownerInput(given: { email: string; name: string }): z.output<typeof owner> {
  const parsed = owner.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new CommandError(`--${issue?.path.join('.')}: ${issue?.message}`, USAGE)
}

/**
 * Creates the operator's tenant, which has the role Owner, and its first user. This user can log in and create further
 * users.
 */
export async function createOwner(
  app: { db: Db },
  { email, name, password }: z.output<typeof owner> & { password: string },
): Promise<{ tenantId: string }> {
  const checked = newPassword.safeParse(password)
  if (!checked.success)
    throw new CommandError(`the password ${checked.error.issues.map(ruleOf).map(ruleText).join(', ')}`)
  const passwordHash = await hashPassword(checked.data)
  const tenantId = newId()
  return auditedTransaction(app, null, async tx => {
    const refusal = await insertOwner(tx, { tenantId, name, userId: newId(), email, passwordHash })
    if (refusal === 'owner') throw new CommandError('an Owner already exists; log in as a user of the Owner')
    if (refusal === 'email') throw new CommandError(`${email} already belongs to a user of another tenant`)
    return {
      result: { tenantId },
      action: 'tenant.create',
      tenantId,
      subjectId: tenantId,
      before: null,
      after: { role: 'owner', name, email },
    }
  })
}
