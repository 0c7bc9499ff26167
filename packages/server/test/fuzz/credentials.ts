// Creates the callers for a fuzz run. For two unrelated merchants, it creates API keys for both modes and
// users with every role. It also creates invalid credentials.

import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import type { App } from '../../src/app.ts'
import { insertRefreshToken } from '../../src/auth/log-in/session.sql.ts'
import { refreshTokenEnd } from '../../src/auth/log-in/session.ts'
import { signAccessToken } from '../../src/auth/tokens/token.ts'
import type { Role } from '../../src/tenants/tenant.ts'
import { newId } from '../../src/values/id.ts'
import type { Mode } from '../../src/values/mode.ts'

export type User = { tenantId: string; role: Role; userId: string }
type Key = { tenantId: string; role: Role; mode: Mode }

export type Credential = {
  name: string
  header: string | undefined
  /**
   * The caller that the credential identifies, or undefined if the credential is invalid. The response to an invalid
   * credential must not contain any tenant's data.
   */
  who?: ({ kind: 'key' } & Key) | ({ kind: 'jwt' } & User)
}

/**
 * Returns a signed access token for the user, like a login, but without checking a password. A long test run calls this
 * function again before its tokens expire.
 */
export async function tokenOf(
  app: Pick<App, 'keyRing' | 'db'>,
  { tenantId, role, userId }: User,
): Promise<string> {
  const sid = newId()
  const issuedAt = new Date()
  const token = {
    tokenHash: randomBytes(32),
    familyId: sid,
    userId,
    issuedAt,
    expiresAt: refreshTokenEnd(issuedAt),
  }
  await app.db.transaction(tx => insertRefreshToken(tx, token))
  const claims = {
    sub: tenantId,
    role,
    tier: 'enterprise',
    permissions: ['admin'],
    user_id: userId,
    sid,
  } as const
  return `Bearer ${await signAccessToken(await app.keyRing(), claims, new Date())}`
}

/** Returns invalid credentials. Every operation must reject requests with these credentials. */
export async function falseCredentials(
  app: Pick<App, 'keyRing'>,
  owner: User,
  key: string,
): Promise<Credential[]> {
  const ring = await app.keyRing()
  const claims = { role: 'owner', tier: 'enterprise', user_id: owner.userId }
  const now = Math.floor(Date.now() / 1000)
  const signedBy = (privateKey: KeyObject, kid: string | undefined) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', ...(kid && { kid }) })
      .setSubject(owner.tenantId)
      .setIssuer(ring.issuer)
      .setAudience('gapura')
      .setIssuedAt(now)
      .setExpirationTime(now + 900)
      .setJti(newId())
      .sign(privateKey)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const hourAgo = new Date(Date.now() - 3_600_000)
  const old = await signAccessToken(
    ring,
    {
      sub: owner.tenantId,
      role: 'owner',
      tier: 'enterprise',
      permissions: ['admin'],
      user_id: owner.userId,
      sid: newId(),
    },
    hourAgo,
  )
  const unsigned = new UnsecuredJWT(claims)
    .setSubject(owner.tenantId)
    .setExpirationTime(now + 900)
    .encode()
  const texts: Record<string, string> = {
    'token expired': `Bearer ${old}`,
    'token unsigned': `Bearer ${unsigned}`,
    'token signed with another key': `Bearer ${await signedBy(privateKey, ring.keys[0]?.kid)}`,
    'token without kid': `Bearer ${await signedBy(privateKey, undefined)}`,
    'token cut off': `Bearer ${old.slice(0, -20)}`,
    'key as token': `Bearer ${key}`,
    'token as key': `ApiKey ${old}`,
    'key mistyped': `ApiKey ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    'key unknown': 'ApiKey gp_live_0000000000000000000000000000000000000',
    'scheme alone': 'ApiKey',
    'scheme unknown': `Basic ${Buffer.from('owner@example.com:x').toString('base64')}`,
    'header of spaces': '   ',
    'header very long': `Bearer ${'x'.repeat(4_000)}`,
    'two keys': `ApiKey ${key}, ApiKey ${key}`,
  }
  return [
    { name: 'nobody', header: undefined },
    ...Object.entries(texts).map(([name, header]) => ({ name, header })),
  ]
}
