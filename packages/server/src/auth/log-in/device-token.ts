// A device token proves that an earlier login to the account came from this device. It grants no access. Its only
// effect is that failed logins on other devices do not delay this device's logins (login-throttle.ts). The signature
// covers the password hash, so a new password invalidates all device tokens.

import type { Secrets } from '../../secrets/secrets.ts'
import { isEqualSecret } from '../../values/equal-secret.ts'
import { after } from '../../values/time.ts'

export const DEVICE_DAYS = 180

type Holder = { id: string; passwordHash: string }

export function newDeviceToken(secrets: Secrets, user: Holder, deviceId: string, at: Date): string {
  const content = `${deviceId}.${after(at, DEVICE_DAYS * 86_400_000).getTime()}`
  return `gp_device_${content}.${signatureOf(secrets, user, content)}`
}

/** Returns the device ID in the device token, or undefined if the token is not valid for this user. */
export function verifyDeviceToken(
  secrets: Secrets,
  user: Holder | undefined,
  token: string | undefined,
  at: Date,
): string | undefined {
  const [, content = '', deviceId = '', endsAt, signature = ''] =
    /^gp_device_(([0-9a-f-]{36})\.(\d{1,15}))\.([\w-]{43})$/.exec(token ?? '') ?? []
  // The signature is also computed if the email address is unknown, so that the response time does not reveal whether
  // the address exists.
  const isSigned = isEqualSecret(signature, signatureOf(secrets, user ?? unknownUser, content))
  return user && isSigned && at.getTime() < Number(endsAt) ? deviceId : undefined
}

const unknownUser: Holder = { id: '', passwordHash: '' }

const signatureOf = (secrets: Secrets, { id, passwordHash }: Holder, content: string): string =>
  secrets.hash(`device ${content} of ${id} with ${passwordHash}`).toString('base64url')
