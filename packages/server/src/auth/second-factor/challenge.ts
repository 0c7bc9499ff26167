// A challenge is a token for a user who must present the second factor, for example to finish a login. It is valid for
// five minutes.

import { randomBytes } from 'node:crypto'
import { after } from '../../values/time.ts'

export const CHALLENGE_SECONDS = 300

/** How long a user may move money and rotate API keys in a session after confirming a second factor. */
const RECENT_MS = 15 * 60_000

export const newChallengeToken = (): string => `gp_challenge_${randomBytes(32).toString('base64url')}`

export const challengeEnd = (at: Date): Date => after(at, CHALLENGE_SECONDS * 1_000)

export const isRecentProof = (provenAt: Date | null, at: Date): boolean =>
  provenAt !== null && at.getTime() - provenAt.getTime() < RECENT_MS

export const secondFactorMethods = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]
