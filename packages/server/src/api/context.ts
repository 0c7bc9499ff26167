// Who is calling. Read once for a request, from its Authorization header; each procedure says what it asks
// of the caller (trpc.ts).

import type { App } from '../app.ts'
import { isApiKey } from '../auth/api-key.ts'
import type { Credential } from '../auth/auth.sql.ts'
import { verifyAccessToken } from '../auth/token.ts'
import { GatewayError, invalidJwt } from '../errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mode } from '../mode.ts'
import type { Role, Tier } from '../tenants/tenant.ts'

export type KeyCaller = {
  kind: 'api_key'
  tenantId: string
  role: Role
  tier: Tier
  limits: Limits
  mode: Mode
  keyId: string
  /** For the test payments of a dashboard session only. */
  isOfSession: boolean
}
export type UserCaller = {
  kind: 'user'
  tenantId: string
  role: Role
  tier: Tier
  limits: Limits
  userId: string
  /** Not of a token that an earlier version signed. */
  sessionId?: string | undefined
}
export type Caller = KeyCaller | UserCaller

/** An API key sees its own mode, a user both. */
export const modeOf = (caller: Caller): Mode | null => (caller.kind === 'api_key' ? caller.mode : null)

export type Context = {
  app: App
  /** A fault is thrown only by procedures that need a caller: log-in works with a stale header too. */
  caller: Caller | GatewayError
  idempotencyKey: string | undefined
  /** The network address that asks (auth/source.ts). Few want to know it. */
  source: () => string
  setHeader(name: string, value: string): void
  /** Calls back once the caller has taken the whole answer, or is gone. */
  whenTaken(run: () => void): void
  /** What a log-in leaves on a device (http/device-cookie.ts). */
  device?: DeviceCookie | undefined
  /** The dashboard's refresh token, over tRPC only (http/session-cookie.ts). */
  session?: SessionCookie | undefined
  /** The body, where an operation takes one that is no JSON; over REST only. */
  upload?: AsyncIterable<Buffer> | undefined
  /** There where the caller wants the answer in lines while it is made. Throws where the caller is gone. */
  writeLine?: ((line: Line) => Promise<void>) | undefined
  /** Whether the lines are the answer, and not one JSON at the end. */
  inLines?: boolean | undefined
}

/** read throws FORBIDDEN where the page that calls is another site's. */
export type SessionCookie = { read(): string | undefined; keep(token: string): void; clear(): void }

export type DeviceCookie = { read(): string | undefined; keep(token: string): void }

export type Line = { type: string } & Record<string, unknown>

/** findKey: of a key's hash; it may throw RATE_LIMITED. */
type FindKey = (keyHash: Buffer) => Promise<Credential | undefined>

export async function identify(
  app: App,
  authorization: string | undefined,
  findKey: FindKey,
): Promise<Caller | GatewayError> {
  try {
    return await readCaller(app, authorization, findKey)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

async function readCaller(app: App, authorization: string | undefined, findKey: FindKey): Promise<Caller> {
  if (!authorization)
    throw new GatewayError(
      'UNAUTHORIZED',
      'the Authorization header is missing; send `ApiKey <key>` or `Bearer <access token>`',
    )
  const [, scheme = '', credential = ''] = /^(\S+)\s+(\S+)\s*$/.exec(authorization) ?? []
  switch (scheme.toLowerCase()) {
    case 'apikey':
      return keyCaller(app, credential, findKey)
    case 'bearer':
      return userCaller(app, credential)
    default:
      // A Bearer scheme without anything after it is an invalid token, too.
      if (/^bearer\b/i.test(authorization)) return userCaller(app, '')
      throw new GatewayError('UNAUTHORIZED', 'unknown scheme; send `ApiKey <key>` or `Bearer <access token>`')
  }
}

async function keyCaller(app: App, key: string, findKey: FindKey): Promise<Caller> {
  const hash = app.secrets.hash(key)
  const found = app.credentialAtHand(hash) ?? (isApiKey(key) ? await findKey(hash) : undefined)
  const isOver = found?.sessionId != null && (await app.isSessionOver(found.sessionId))
  if (!found || isOver) throw new GatewayError('UNAUTHORIZED', 'the API key is invalid or revoked')
  if (found.tenantStatus === 'suspended') throw new GatewayError('FORBIDDEN', 'this tenant is suspended')
  const isOfSession = found.sessionId !== null
  if (!isOfSession) app.noteKeyUse(found.keyId)
  return {
    kind: 'api_key',
    tenantId: found.tenantId,
    role: found.role,
    tier: found.tier,
    limits: await app.limitsOf(found.tenantId, found.tier),
    mode: found.mode,
    keyId: found.keyId,
    isOfSession,
  }
}

async function userCaller(app: App, token: string): Promise<Caller> {
  const claims = await verifyAccessToken(await app.keyRing(), token, app.clock())
  const [tenant, isOver] = await Promise.all([
    app.tenantOf(claims.sub),
    claims.sid !== undefined && app.isSessionOver(claims.sid),
  ])
  if (isOver) throw invalidJwt()
  if (!tenant || tenant.status === 'suspended')
    throw new GatewayError('FORBIDDEN', 'this tenant is suspended')
  return {
    kind: 'user',
    tenantId: tenant.id,
    role: claims.role,
    // As it is now; the token may be of a quarter of an hour ago.
    tier: tenant.tier,
    limits: await app.limitsOf(tenant.id, tenant.tier),
    userId: claims.user_id,
    sessionId: claims.sid,
  }
}
