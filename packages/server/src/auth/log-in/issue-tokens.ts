import { ACCESS_TOKEN_SECONDS, type KeyRing, signAccessToken } from '../tokens/token.ts'
import type { TokenUser } from './session.sql.ts'

export type IssuedTokens = { accessToken: string; refreshToken: string; expiresIn: number }

/**
 * Signs the access token for a client that also receives a refresh token. Store the refresh token before you call this
 * function, because an access token without a stored session is rejected.
 */
export async function issueTokens(
  app: { keyRing: () => Promise<KeyRing> },
  user: TokenUser,
  { refreshToken, familyId }: { refreshToken: string; familyId: string },
  at: Date,
): Promise<IssuedTokens> {
  const claims = {
    sub: user.tenantId,
    role: user.role,
    tier: user.tier,
    permissions: user.permissions,
    user_id: user.id,
    sid: familyId,
  }
  return {
    accessToken: await signAccessToken(await app.keyRing(), claims, at),
    refreshToken,
    expiresIn: ACCESS_TOKEN_SECONDS,
  }
}
