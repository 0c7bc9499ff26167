import { fault } from '../../faults/fault.ts'
import type { ClientDevice } from '../log-in/session.sql.ts'
import { findChallenge, takeChallenge } from './challenge.sql.ts'
import { type CodeApp, checkCode } from './check-code.ts'
import { checkPasskey, type SignedByPasskey } from './check-passkey.ts'
import type { FactorOwner } from './enrol.ts'
import { noteProof } from './second-factor.sql.ts'

/**
 * Confirms the caller's session with a second-factor code. For the next 15 minutes, the user may move money and rotate
 * API keys in this session.
 */
export async function confirmWithCode(
  app: CodeApp,
  { userId, sessionId }: FactorOwner,
  { code, source, client }: { code: string; source: string; client: ClientDevice },
): Promise<void> {
  if (!(await checkCode(app, { userId, code, source, known: `session ${sessionId}`, client })))
    throw fault('code_wrong', {}, { field: 'code' })
  await noteProof(app.db, sessionId, app.clock())
}

/**
 * Confirms the caller's session with a passkey. For the next 15 minutes, the user may move money and rotate API keys in
 * this session.
 */
export async function confirmWithPasskey(
  app: CodeApp & { publicUrl: string },
  { userId, sessionId }: FactorOwner,
  { challenge, response }: { challenge: string; response: SignedByPasskey },
): Promise<void> {
  const tokenHash = app.secrets.hash(challenge)
  const open = await findChallenge(app.db, { tokenHash, purpose: 'confirm', at: app.clock() })
  const isOwn = open?.user.id === userId && (await takeChallenge(app.db, tokenHash))
  const { passkeyChallenge = null } = open ?? {}
  if (!isOwn || !(await checkPasskey(app, { userId, passkeyChallenge, response })))
    throw fault('passkey_rejected')
  await noteProof(app.db, sessionId, app.clock())
}
