import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { findChallenge, setPasskeyChallenge } from './challenge.sql.ts'
import { listPasskeys } from './passkey.sql.ts'
import { relyingParty } from './relying-party.ts'
import { startChallenge } from './start-challenge.ts'
import { webauthn } from './webauthn.ts'

type OptionsApp = { db: Db; secrets: Secrets; clock: Clock; publicUrl: string }

/** Returns the WebAuthn options that the browser needs to request a signature from one of the user's passkeys. */
async function requestOptions(
  app: OptionsApp,
  userId: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const passkeys = await listPasskeys(app.db, userId)
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: relyingParty(app.publicUrl).id,
    userVerification: 'preferred',
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  })
}

/** Returns the WebAuthn options for a login that waits for the second factor. */
export async function passkeyLoginOptions(
  app: OptionsApp,
  challenge: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const tokenHash = app.secrets.hash(challenge)
  const open = await findChallenge(app.db, { tokenHash, purpose: 'log_in', at: app.clock() })
  if (!open) throw fault('login_challenge_invalid')
  const options = await requestOptions(app, open.user.id)
  await setPasskeyChallenge(app.db, tokenHash, options.challenge)
  return options
}

/** Returns the WebAuthn options for a logged-in user who confirms the session again with a passkey. */
export async function passkeyConfirmOptions(
  app: OptionsApp,
  userId: string,
): Promise<{ challenge: string; options: PublicKeyCredentialRequestOptionsJSON }> {
  const options = await requestOptions(app, userId)
  const challenge = await startChallenge(app, {
    userId,
    purpose: 'confirm',
    passkeyChallenge: options.challenge,
  })
  return { challenge, options }
}
