// Access tokens are JWTs signed with RS256 and valid for 15 minutes. All processes share the signing keys, which
// are stored encrypted in the database. Tokens signed with any of these keys are accepted until they expire.

import type { CryptoKey } from 'jose'
import { errors, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { fault } from '../../faults/fault.ts'
import { roles, tiers } from '../../tenants/tenant.ts'
import { newId } from '../../values/id.ts'
import type { Permission } from '../users/permission.ts'

export const ACCESS_TOKEN_SECONDS = 900
const AUDIENCE = 'gapura'

export type SigningKey = { kid: string; publicJwk: JWK; privateKey: CryptoKey }

/** The keys that sign and verify access tokens. The first key signs new tokens, and all keys verify tokens. */
export type KeyRing = { keys: SigningKey[]; issuer: string }

const claims = z.object({
  sub: z.uuid(),
  role: z.enum(roles),
  tier: z.enum(tiers),
  user_id: z.uuid(),
  /** The session's ID (session.ts). The claim is named `sid`, as in OpenID Connect. */
  sid: z.uuid(),
})
/**
 * The access token claims that this service reads. The claim `permissions` is only for clients: the service reads
 * permissions from the database, so that a change of permissions takes effect before the token expires.
 */
export type AccessClaims = z.output<typeof claims>

export async function newSigningKey(): Promise<{ kid: string; publicJwk: JWK; privateJwk: JWK }> {
  const pair = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 })
  const kid = newId()
  const marks = { kid, alg: 'RS256', use: 'sig' }
  return {
    kid,
    publicJwk: { ...(await exportJWK(pair.publicKey)), ...marks },
    privateJwk: { ...(await exportJWK(pair.privateKey)), ...marks },
  }
}

export async function importSigningKey(publicJwk: JWK, privateJwk: JWK): Promise<SigningKey> {
  const privateKey = (await importJWK(privateJwk, 'RS256')) as CryptoKey
  return { kid: publicJwk.kid as string, publicJwk, privateKey }
}

export function signAccessToken(
  ring: KeyRing,
  { sub, ...rest }: AccessClaims & { permissions: readonly Permission[] },
  at: Date,
): Promise<string> {
  const key = ring.keys[0]
  if (!key) throw new Error('there is no signing key')
  const seconds = Math.floor(at.getTime() / 1000)
  return new SignJWT(rest)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid })
    .setSubject(sub)
    .setIssuer(ring.issuer)
    .setAudience(AUDIENCE)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + ACCESS_TOKEN_SECONDS)
    .setJti(newId())
    .sign(key.privateKey)
}

/**
 * Returns the claims of an unexpired token that this service signed. For any other text, throws `Invalid JWT token`.
 */
export async function verifyAccessToken(ring: KeyRing, token: string, at: Date): Promise<AccessClaims> {
  try {
    const { payload } = await jwtVerify(
      token,
      // The token's header can only select one of our own keys, with the field `kid`. The fields `jwk`, `jku` and
      // `x5u` are ignored.
      async header => {
        const key = ring.keys.find(each => each.kid === header.kid)
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key.publicJwk
      },
      {
        algorithms: ['RS256'],
        issuer: ring.issuer,
        audience: AUDIENCE,
        currentDate: at,
        requiredClaims: ['exp', 'iat', 'sub', 'jti'],
      },
    )
    return claims.parse(payload)
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw fault('access_token_invalid')
    throw error
  }
}
