// A session is a chain of refresh tokens: each use of a token replaces it with the next one. A used token still works
// for ten seconds, because two browser tabs can share a token and a response can get lost. If the token is used after
// these ten seconds, it may have been stolen, so the service revokes the session.
//
// A refresh token that is used again within these ten seconds gets another successor. Once one successor is used, the
// other successors count as used too (`markRefreshTokenUsed`).

import { randomBytes } from 'node:crypto'
import { after } from '../../values/time.ts'

export const REFRESH_TOKEN_DAYS = 30
export const SPENT_GRACE_MS = 10_000

export type RefreshToken = { familyId: string; expiresAt: Date; spentAt: Date | null; revokedAt: Date | null }

export const newRefreshToken = (): string => `gp_refresh_${randomBytes(32).toString('base64url')}`

export const refreshTokenEnd = (at: Date): Date => after(at, REFRESH_TOKEN_DAYS * 86_400_000)

/**
 * Returns whether a client is a browser, whose User-Agent always starts with `Mozilla/`. The service recognizes a
 * browser only by the device cookie. An IP address and User-Agent are not enough: a thief behind the same NAT with the
 * same browser would count as a known device.
 */
export const isBrowser = (userAgent: string | undefined): boolean => /^mozilla\//i.test(userAgent ?? '')

export function refreshTokenState(token: RefreshToken, at: Date): 'good' | 'over' | 'reused' {
  if (token.revokedAt) return 'over'
  if (token.spentAt && at.getTime() - token.spentAt.getTime() >= SPENT_GRACE_MS) return 'reused'
  return at < token.expiresAt ? 'good' : 'over'
}
