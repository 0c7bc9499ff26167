// Time-based one-time passwords (RFC 6238). An authenticator app computes a six-digit code from a secret every 30
// seconds. All common authenticator apps support the parameters used here.

import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000
/**
 * How many time steps early or late a TOTP code may be. Some tolerance is necessary, because a phone's clock
 * may be wrong.
 */
const WINDOW = 1

/** Returns a new 160-bit base32 secret, the length that RFC 4226 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

const totpWith = (secret: string, label = '') =>
  new TOTP({ issuer: 'Gapura', label, secret: Secret.fromBase32(secret) })

/** Returns the URI that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, email: string): string => totpWith(secret, email).toString()

/** Returns a valid TOTP code's time step, or undefined if the code is wrong, too early or too late. */
export function totpStepOf(secret: string, code: string, at: Date): number | undefined {
  const delta = totpWith(secret).validate({ token: code, timestamp: at.getTime(), window: WINDOW })
  return delta === null ? undefined : Math.floor(at.getTime() / STEP_MS) + delta
}
