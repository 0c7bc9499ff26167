import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { FactorOwner } from './enrol.ts'
import { findFactors, setFactorRequired } from './second-factor.sql.ts'

/**
 * Sets whether all users of the caller's tenant need a second factor. Only a caller who has a second factor can turn
 * this requirement on, so that it cannot lock out the whole team.
 */
export async function requireSecondFactor(
  app: { db: Db },
  owner: FactorOwner,
  isRequired: boolean,
): Promise<void> {
  const { tenantId, userId } = owner
  await auditedTransaction(app, owner, async tx => {
    const { hasTotp, passkeys } = await findFactors(tx, userId)
    if (isRequired && !hasTotp && passkeys === 0)
      throw fault('second_factor_missing', {}, { field: 'second_factor_required' })
    const was = await setFactorRequired(tx, tenantId, isRequired)
    return {
      result: undefined,
      action: 'tenant.require_second_factor',
      tenantId,
      subjectId: tenantId,
      before: { second_factor_required: was },
      after: { second_factor_required: isRequired },
    }
  })
}
