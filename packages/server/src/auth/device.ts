// A token that says that its device logged in to an account before. It opens nothing: wrong passwords from elsewhere do not
// delay a log-in that carries it (login-throttle.ts). It is signed over the hash of the password, so a new password ends
// all of them.

import { isEqualSecret } from '../equal.ts'
import type { Secrets } from '../secrets.ts'
import { after } from '../time.ts'

export const DEVICE_DAYS = 180

type Holder = { id: string; passwordHash: string }

export function deviceToken(secrets: Secrets, user: Holder, deviceId: string, at: Date): string {
  const content = `${deviceId}.${after(at, DEVICE_DAYS * 86_400_000).getTime()}`
  return `gp_device_${content}.${signatureOf(secrets, user, content)}`
}

/** The id of the device; undefined where the token is not of this user, or no longer. */
export function knownDevice(
  secrets: Secrets,
  user: Holder | undefined,
  token: string | undefined,
  at: Date,
): string | undefined {
  const [, content = '', deviceId = '', endsAt, signature = ''] =
    /^gp_device_(([0-9a-f-]{36})\.(\d{1,15}))\.([\w-]{43})$/.exec(token ?? '') ?? []
  // As much work for an address that nobody has.
  const isSigned = isEqualSecret(signature, signatureOf(secrets, user ?? nobody, content))
  return user && isSigned && at.getTime() < Number(endsAt) ? deviceId : undefined
}

const nobody: Holder = { id: '', passwordHash: '' }

const signatureOf = (secrets: Secrets, { id, passwordHash }: Holder, content: string): string =>
  secrets.hash(`device ${content} of ${id} with ${passwordHash}`).toString('base64url')
