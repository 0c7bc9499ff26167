import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { lockBranding, updateBranding } from './branding.sql.ts'
import type { Branding, StoredBranding } from './branding.ts'

/** Replaces the branding of the caller's tenant. */
export async function setBranding(
  app: { db: Db },
  caller: { tenantId: string; userId: string },
  wanted: Branding,
): Promise<StoredBranding> {
  return auditedTransaction(app, caller, async tx => {
    const before = await lockBranding(tx, caller.tenantId)
    const after = await updateBranding(tx, caller.tenantId, wanted)
    return {
      result: after,
      action: 'branding.set',
      tenantId: caller.tenantId,
      subjectId: caller.tenantId,
      before: auditView(before),
      after: auditView(after),
    }
  })
}

/**
 * Describes the branding for the audit log. Instead of the logo's file, the entry contains its type,
 * dimensions, size and hash.
 */
const auditView = ({ displayName, color, logo }: StoredBranding) => ({
  display_name: displayName,
  color,
  logo: logo && {
    content_type: logo.type,
    ...{ size: logo.data.length, width: logo.width, height: logo.height, sha256: logo.sha256 },
  },
})
