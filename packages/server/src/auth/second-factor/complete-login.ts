import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { verifyDeviceTokens } from '../log-in/device-token.ts'
import type { IssuedTokens } from '../log-in/issue-tokens.ts'
import type { ClientDevice } from '../log-in/session.sql.ts'
import { startSession } from '../log-in/start-session.ts'
import type { KeyRing } from '../tokens/token.ts'
import { findChallenge, type OpenChallenge, takeChallenge } from './challenge.sql.ts'
import { checkCode } from './check-code.ts'
import { checkPasskey, type SignedByPasskey } from './check-passkey.ts'

type Given = {
  challenge: string
  /** A code from the authenticator app, a recovery code, or a passkey signature. */
  proof: { code: string } | { passkey: SignedByPasskey }
  source: string
  deviceTokens?: readonly string[] | undefined
  client: ClientDevice
}

/**
 * Finishes a login with a second factor. Each challenge works only once, whichever kind of second factor the user
 * presents.
 */
export async function completeLogin(
  app: { db: Db; secrets: Secrets; clock: Clock; publicUrl: string; keyRing: () => Promise<KeyRing> },
  { challenge, proof, source, deviceTokens = [], client }: Given,
): Promise<IssuedTokens & { device: string }> {
  const tokenHash = app.secrets.hash(challenge)
  const open = await findChallenge(app.db, { tokenHash, purpose: 'log_in', at: app.clock() })
  if (!open) throw fault('login_challenge_invalid')
  const { user } = open
  if (user.tenantStatus === 'suspended') throw fault('tenant_suspended')
  const found = verifyDeviceTokens(app.secrets, user, deviceTokens, app.clock())
  const known = found?.isProven ? `device ${found.id}` : undefined
  if (!(await isProven(app, open, { proof, source, known, client }))) throw fault('login_code_wrong')
  if (!(await takeChallenge(app.db, tokenHash))) throw fault('login_challenge_invalid')
  const session = await startSession(app, user, { deviceId: found?.id, client, provenAt: app.clock() })
  if (!session) throw fault('login_challenge_invalid')
  return session
}

async function isProven(
  app: Parameters<typeof completeLogin>[0],
  { user, passkeyChallenge }: OpenChallenge,
  {
    proof,
    source,
    known,
    client,
  }: Pick<Given, 'proof' | 'source' | 'client'> & { known: string | undefined },
): Promise<boolean> {
  if ('code' in proof) return checkCode(app, { userId: user.id, code: proof.code, source, known, client })
  return checkPasskey(app, { userId: user.id, passkeyChallenge, response: proof.passkey })
}
