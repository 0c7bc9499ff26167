import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../values/time.ts'
import { listPasskeys, notePasskeyUse } from './passkey.sql.ts'
import { relyingParty } from './relying-party.ts'
import { webauthn } from './webauthn.ts'

/** The browser's response, which contains a challenge signed by a passkey. */
export type SignedByPasskey = AuthenticationResponseJSON

/** Verifies that one of the user's passkeys signed the challenge. */
export async function checkPasskey(
  app: { db: Db; clock: Clock; publicUrl: string },
  {
    userId,
    passkeyChallenge,
    response,
  }: { userId: string; passkeyChallenge: string | null; response: SignedByPasskey },
): Promise<boolean> {
  const passkey = (await listPasskeys(app.db, userId)).find(each => each.credentialId === response.id)
  if (!passkey || passkeyChallenge === null) return false
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(app.publicUrl)
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: passkeyChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: false,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    // The WebAuthn library throws if the signed response is invalid.
  }).catch(() => undefined)
  if (!verified?.verified) return false
  return notePasskeyUse(app.db, passkey.id, verified.authenticationInfo.newCounter, app.clock())
}
