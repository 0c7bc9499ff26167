// Computes an authenticator app's codes with a library that is independent of the service.

import { generateTOTP } from '@oslojs/otp'
import { Secret } from 'otpauth'

/** How long an authenticator app shows the same code. */
export const STEP_MS = 30_000

/** Returns the code that an authenticator app with the given secret shows at the given time. */
export function appCode(secret: string, at: Date): string {
  const now = Date.now
  Date.now = () => at.getTime()
  try {
    return generateTOTP(new Uint8Array(Secret.fromBase32(secret).bytes), STEP_MS / 1_000, 6)
  } finally {
    Date.now = now
  }
}
