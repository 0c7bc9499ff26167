import type { z } from 'zod'
import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { lockTenant } from '../../tenants/tenant.sql.ts'
import type { SecuritySettings } from '../../tenants/tenant.ts'
import { toJsonNumber } from '../../values/money.ts'
import type { FactorOwner } from './enrol.ts'
import { findFactors, updateSecurity } from './second-factor.sql.ts'
import type { securityInput, securityView } from './second-factor-input.ts'

/**
 * Changes the security settings of the caller's tenant and returns all settings. Omitted settings keep their values. To
 * make second factors mandatory for the tenant, the caller must have one, so that the team cannot be locked out.
 */
export async function setSecurity(
  app: { db: Db },
  owner: FactorOwner,
  input: z.output<typeof securityInput>,
): Promise<z.output<typeof securityView>> {
  const { tenantId, userId } = owner
  return auditedTransaction(app, owner, async tx => {
    const { hasTotp, passkeys } = await findFactors(tx, userId)
    if (input.second_factor_required && !hasTotp && passkeys === 0)
      throw fault('second_factor_missing', {}, { field: 'second_factor_required' })
    const before = await lockTenant(tx, tenantId)
    const after = {
      secondFactorRequired: input.second_factor_required ?? before.secondFactorRequired,
      refundProofAbove:
        input.refund_proof_above === undefined ? before.refundProofAbove : BigInt(input.refund_proof_above),
    }
    await updateSecurity(tx, tenantId, after)
    const result = viewSecurity(after)
    return {
      result,
      action:
        input.second_factor_required === undefined
          ? 'tenant.set_refund_proof'
          : 'tenant.require_second_factor',
      tenantId,
      subjectId: tenantId,
      before: viewSecurity(before),
      after: result,
    }
  })
}

const viewSecurity = ({ secondFactorRequired, refundProofAbove }: SecuritySettings) => ({
  second_factor_required: secondFactorRequired,
  refund_proof_above: toJsonNumber(refundProofAbove),
})
