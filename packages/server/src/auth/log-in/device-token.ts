// A device token proves that an earlier login to the account came from this device. The token grants no access. Its
// only effect is that failed logins on other devices do not delay this device's logins (login-throttle.ts). The
// signature covers the password hash, so a new password invalidates all device tokens.

import type { Secrets } from '../../secrets/secrets.ts'
import { isEqualSecret } from '../../values/equal-secret.ts'
import { after } from '../../values/time.ts'

export const DEVICE_DAYS = 180

type Holder = { id: string; passwordHash: string }
/**
 * `isProven` is true if a login with a second factor succeeded on this device. Only such a device has its own limit for
 * wrong second-factor codes. If every device had its own limit, an attacker with the user's password or mailbox could
 * get many device tokens and guess codes with each of them.
 */
export type Device = { id: string; isProven: boolean }

export function newDeviceToken(secrets: Secrets, user: Holder, { id, isProven }: Device, at: Date): string {
  const endsAt = after(at, DEVICE_DAYS * 86_400_000).getTime()
  const content = `${id}.${endsAt}${isProven ? PROVEN : ''}`
  return `gp_device_${content}.${signatureOf(secrets, user, content)}`
}

const PROVEN = '.proven'

/** Returns the device in the first token that is valid for this user, or undefined if none is valid. */
export function verifyDeviceTokens(
  secrets: Secrets,
  user: Holder | undefined,
  tokens: readonly string[],
  at: Date,
): Device | undefined {
  const devices = tokens.map(token => verifyDeviceToken(secrets, user, token, at))
  return devices.find(device => device !== undefined)
}

/** Returns the ID of the device in a device token without checking the signature, or undefined if there is none. */
export const deviceIdIn = (token: string): string | undefined => FORM.exec(token)?.[2]

const FORM = /^gp_device_(([0-9a-f-]{36})\.(\d{1,15})(\.proven)?)\.([\w-]{43})$/

function verifyDeviceToken(
  secrets: Secrets,
  user: Holder | undefined,
  token: string,
  at: Date,
): Device | undefined {
  const [, content = '', id = '', endsAt, proven, signature = ''] = FORM.exec(token) ?? []
  // The signature is also computed if the email address is unknown, so that the response time does not reveal whether
  // the address exists.
  const isSigned = isEqualSecret(signature, signatureOf(secrets, user ?? unknownUser, content))
  return user && isSigned && at.getTime() < Number(endsAt)
    ? { id, isProven: proven !== undefined }
    : undefined
}

const unknownUser: Holder = { id: '', passwordHash: '' }

const signatureOf = (secrets: Secrets, { id, passwordHash }: Holder, content: string): string =>
  secrets.hash(`device ${content} of ${id} with ${passwordHash}`).toString('base64url')
