import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { auditedTransaction } from '../../audit/audited-transaction.ts'
import { fault } from '../../faults/fault.ts'
import { newId } from '../../values/id.ts'
import type { ClientDevice } from '../log-in/session.sql.ts'
import { enqueueSecurityChange } from '../users/security-change.sql.ts'
import { findUser, lockUserRow } from '../users/user.sql.ts'
import { findChallenge, takeChallenge } from './challenge.sql.ts'
import type { CodeApp } from './check-code.ts'
import { type FactorOwner, factorChange, finishEnrolment } from './enrol.ts'
import { insertPasskey, listPasskeys } from './passkey.sql.ts'
import { relyingParty } from './relying-party.ts'
import { type EnteredPassword, requirePasswordForFirstFactor } from './require-password.ts'
import { startChallenge } from './start-challenge.ts'
import { webauthn } from './webauthn.ts'

type PasskeyApp = CodeApp & { publicUrl: string }

/**
 * Starts a passkey registration. Returns the WebAuthn options that the browser needs to create the passkey. The
 * password is required only if the user has no second factor yet (require-password.ts). It is checked before the
 * browser creates a passkey, so that the service does not have to reject the passkey afterward.
 */
export async function startPasskey(
  app: PasskeyApp,
  owner: FactorOwner,
  entered: EnteredPassword,
): Promise<{ challenge: string; options: PublicKeyCredentialCreationOptionsJSON }> {
  await requirePasswordForFirstFactor(app, owner, entered)
  const { tenantId, userId } = owner
  const [user, passkeys] = await Promise.all([
    findUser(app.db, tenantId, userId),
    listPasskeys(app.db, userId),
  ])
  if (!user) throw fault('access_token_invalid')
  const { name: rpName, id: rpID } = relyingParty(app.publicUrl)
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    ...{ rpName, rpID, userName: user.email, userID: new TextEncoder().encode(userId) },
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // A passkey device must check the user's presence but need not check a PIN or fingerprint, because the user
    // also enters a password at login.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const purpose = 'register_passkey'
  const challenge = await startChallenge(app, { userId, purpose, passkeyChallenge: options.challenge })
  return { challenge, options }
}

/**
 * Registers the passkey that the browser created. Returns recovery codes if the user has none yet, and null otherwise.
 */
export async function finishPasskey(
  app: PasskeyApp,
  owner: FactorOwner,
  { challenge, response, name }: { challenge: string; response: RegistrationResponseJSON; name: string },
  client: ClientDevice,
): Promise<string[] | null> {
  const { userId } = owner
  const at = app.clock()
  const tokenHash = app.secrets.hash(challenge)
  const open = await findChallenge(app.db, { tokenHash, purpose: 'register_passkey', at })
  if (!open || open.user.id !== userId || !(await takeChallenge(app.db, tokenHash)))
    throw fault('passkey_rejected')
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(app.publicUrl)
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    ...{ response, expectedOrigin, expectedRPID, requireUserVerification: false },
    expectedChallenge: open.passkeyChallenge ?? '',
    // The WebAuthn library throws if the browser's response is invalid.
  }).catch(() => undefined)
  if (!verified?.verified) throw fault('passkey_rejected')
  const { id: credentialId, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  return auditedTransaction(app, owner, async tx => {
    await lockUserRow(tx, userId)
    const key = { publicKey: Buffer.from(publicKey), counter: BigInt(counter), transports: [...transports] }
    if (!(await insertPasskey(tx, { ...key, id: newId(), userId, credentialId, name, createdAt: at })))
      throw fault('passkey_rejected')
    await enqueueSecurityChange(tx, { userId, change: 'passkey_added', at, client })
    return factorChange(
      owner,
      'second_factor.add_passkey',
      await finishEnrolment(tx, { ...app, at }, owner),
      { name },
    )
  })
}
