// Identifies the caller of a request from its Authorization header, once per request. Each procedure declares what it
// requires of the caller (trpc.ts).

import type { App } from '../app.ts'
import { isApiKey } from '../auth/api-key.ts'
import type { Credential } from '../auth/auth.sql.ts'
import { verifyAccessToken } from '../auth/token.ts'
import { GatewayError } from '../errors.ts'
import { fault } from '../faults/fault.ts'
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
  /** The key works only for test payments of a dashboard session. */
  isOfSession: boolean
}
export type UserCaller = {
  kind: 'user'
  tenantId: string
  role: Role
  tier: Tier
  limits: Limits
  userId: string
  /** Absent in tokens that an earlier version signed. */
  sessionId?: string | undefined
}
export type Caller = KeyCaller | UserCaller

/** An API key has access to its own mode; a user has access to both (null). */
export const modeOf = (caller: Caller): Mode | null => (caller.kind === 'api_key' ? caller.mode : null)

export type Context = {
  app: App
  /**
   * The caller, or why it is not authenticated. Only procedures that require a caller throw this error, so a login
   * works with an expired token in the header.
   */
  caller: Caller | GatewayError
  idempotencyKey: string | undefined
  /** The network source of the request (auth/source.ts); a function, because few procedures need it. */
  source: () => string
  setHeader(name: string, value: string): void
  /** Runs the callback once the client has received the whole response, or has disconnected. */
  whenTaken(run: () => void): void
  /** The cookie that a login leaves on a device (http/device-cookie.ts). */
  device?: DeviceCookie | undefined
  /** The dashboard's refresh token, over tRPC only (http/session-cookie.ts). */
  session?: SessionCookie | undefined
  /** The body of an operation that takes something other than JSON; over REST only. */
  upload?: AsyncIterable<Buffer> | undefined
  /** Set if the client may get the response in lines while it is produced. Throws if the client has disconnected. */
  writeLine?: ((line: Line) => Promise<void>) | undefined
  /** Whether the response consists of these lines, instead of one JSON at the end. */
  inLines?: boolean | undefined
}

/** read throws FORBIDDEN if another site's page sent the request. */
export type SessionCookie = { read(): string | undefined; keep(token: string): void; clear(): void }

export type DeviceCookie = { read(): string | undefined; keep(token: string): void }

export type Line = { type: string } & Record<string, unknown>

/** Finds a credential by the hash of its key; may throw RATE_LIMITED. */
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
  if (!authorization) throw fault('credential_missing')
  const [, scheme = '', credential = ''] = /^(\S+)\s+(\S+)\s*$/.exec(authorization) ?? []
  switch (scheme.toLowerCase()) {
    case 'apikey':
      return keyCaller(app, credential, findKey)
    case 'bearer':
      return userCaller(app, credential)
    default:
      // A Bearer scheme without a token counts as an invalid token.
      if (/^bearer\b/i.test(authorization)) return userCaller(app, '')
      throw fault('scheme_unknown')
  }
}

async function keyCaller(app: App, key: string, findKey: FindKey): Promise<Caller> {
  const hash = app.secrets.hash(key)
  const found = app.credentialAtHand(hash) ?? (isApiKey(key) ? await findKey(hash) : undefined)
  const isOver = found?.sessionId != null && (await app.isSessionOver(found.sessionId))
  if (!found || isOver) throw fault('api_key_invalid')
  if (found.tenantStatus === 'suspended') throw fault('tenant_suspended')
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
  if (isOver) throw fault('access_token_invalid')
  if (!tenant || tenant.status === 'suspended') throw fault('tenant_suspended')
  return {
    kind: 'user',
    tenantId: tenant.id,
    role: claims.role,
    // The current tier; the token may be up to 15 minutes old.
    tier: tenant.tier,
    limits: await app.limitsOf(tenant.id, tenant.tier),
    userId: claims.user_id,
    sessionId: claims.sid,
  }
}
