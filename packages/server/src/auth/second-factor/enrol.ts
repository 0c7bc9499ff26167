import type { AuditedResult } from '../../audit/audited-transaction.ts'
import type { Tx } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { endSessionsExcept } from '../sessions/session-list.sql.ts'
import { lockUserRow } from '../users/user.sql.ts'
import { recoveryCodeHash } from './check-code.ts'
import { newRecoveryCodes } from './recovery-code.ts'
import { findFactors, noteProof, replaceRecoveryCodes } from './second-factor.sql.ts'

export type FactorOwner = { tenantId: string; userId: string; sessionId: string }

/**
 * Finishes the enrollment of a second factor. For the user's first factor, creates recovery codes and ends the
 * other sessions, which were opened without it. Returns the recovery codes, or null if the user already had some.
 */
export async function finishEnrolment(
  tx: Tx,
  { secrets, at }: { secrets: Secrets; at: Date },
  { userId, sessionId }: FactorOwner,
): Promise<string[] | null> {
  // A login that has not opened its session yet waits for this lock, and then needs the second factor.
  await lockUserRow(tx, userId)
  await noteProof(tx, sessionId, at)
  const { recoveryCodes } = await findFactors(tx, userId)
  if (recoveryCodes > 0) return null
  await endSessionsExcept(tx, userId, sessionId, at)
  return renewRecoveryCodes(tx, secrets, userId)
}

export async function renewRecoveryCodes(tx: Tx, secrets: Secrets, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map(code => recoveryCodeHash(secrets, userId, code)),
  )
  return codes
}

/** Returns the audit log entry for a user's change to their own second factors. */
export const factorChange = <Result>(
  { tenantId, userId }: FactorOwner,
  action: string,
  result: Result,
  after: object | null = null,
): AuditedResult<Result> => ({ result, action, tenantId, subjectId: userId, before: null, after })
