// Registers passkeys and uses them to log in, through the browser's WebAuthn API.

import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { publicClient } from '../api/public-client.ts'
import { client } from '../api/trpc.ts'
import { finishLogIn } from './session.ts'

/**
 * Returns whether this page can use passkeys. Browsers allow passkeys only on secure pages with a host name, which
 * excludes http://127.0.0.1.
 */
export const arePasskeysPossible = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)

/** Completes a login with a passkey after the password was accepted. */
export async function logInWithPasskey(challenge: string): Promise<void> {
  const optionsJSON = await publicClient.session.passkeyOptions.mutate({ challenge })
  const response = await startAuthentication({ optionsJSON })
  await finishLogIn(publicClient.session.completeWithPasskey.mutate({ challenge, response }))
}

/** Confirms the second factor again in the current session, using a passkey. */
export async function confirmWithPasskey(): Promise<void> {
  const { challenge, options } = await client.secondFactor.passkeyOptions.mutate()
  const response = await startAuthentication({ optionsJSON: options })
  await client.secondFactor.confirmPasskey.mutate({ challenge, response })
}

/**
 * Creates a passkey for the current user. A user without a second factor may have to enter the password. Returns
 * recovery codes if the user has none yet.
 */
export async function addPasskey({
  name,
  ...password
}: {
  name: string
  current_password?: string
}): Promise<string[] | null> {
  const { challenge, options } = await client.secondFactor.startPasskey.mutate(password)
  const response = await startRegistration({ optionsJSON: options })
  return (await client.secondFactor.finishPasskey.mutate({ challenge, response, name })).recovery_codes
}
