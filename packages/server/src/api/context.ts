// Identifies a request's caller from its Authorization header, once per request. Whether the caller may call a
// procedure is decided later (trpc.ts).

import type { App } from '../app.ts'
import { isApiKey } from '../auth/api-keys/api-key.ts'
import type { KeyScope } from '../auth/api-keys/scope.ts'
import type { Credential } from '../auth/auth.sql.ts'
import type { ClientDevice } from '../auth/log-in/session.sql.ts'
import { verifyAccessToken } from '../auth/tokens/token.ts'
import type { Permission } from '../auth/users/permission.ts'
import { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import type { Limits } from '../limits/limits.ts'
import type { Role, Tier } from '../tenants/tenant.ts'
import { isAllowedSource } from '../values/allowed-source.ts'
import type { Mode } from '../values/mode.ts'

export type KeyCaller = {
  kind: 'api_key'
  tenantId: string
  role: Role
  tier: Tier
  limits: Limits
  mode: Mode
  keyId: string
  /**
   * True if the dashboard created the API key for a logged-in user. Such a key is used only for test
   * payments.
   */
  isSessionKey: boolean
  /** The API key's scopes, which limit the operations the key may call. An empty list means no restriction. */
  scopes: readonly KeyScope[]
}
export type UserCaller = {
  kind: 'user'
  tenantId: string
  /** The Partner that manages the caller's tenant. Null if none does. */
  partnerId: string | null
  role: Role
  tier: Tier
  limits: Limits
  userId: string
  permissions: readonly Permission[]
  sessionId: string
  hasSecondFactor: boolean
  /** The time at which the user last confirmed a second factor in this session, or null if never. */
  provenAt: Date | null
  /** True if the tenant requires a second factor and the user has no second factor. */
  mustEnrol: boolean
}
export type Caller = KeyCaller | UserCaller

/**
 * If the caller may access only one mode (live or test), returns this mode. Returns null for a user, who may
 * access both modes.
 */
export const modeOfCaller = (caller: Caller): Mode | null => (caller.kind === 'api_key' ? caller.mode : null)

export type Context = {
  app: App
  /** The time when the request arrived. The request may have waited for other requests after this time. */
  arrivedAt: Date
  /**
   * The caller, or the error if authentication failed. The error is thrown only if a procedure requires a caller.
   * A login, for example, succeeds even with an expired token.
   */
  caller: Caller | GatewayError
  /**
   * Checks whether the caller still has access. Exports and requests that wait for events call this repeatedly. A user
   * keeps access until the session ends, even if the access token expires earlier.
   */
  identifyAgain: () => Promise<Caller | GatewayError>
  idempotencyKey: string | undefined
  /**
   * Returns the request's source network (http/network-source.ts). It is computed only on demand, because few
   * procedures need it.
   */
  source: () => string
  client: ClientDevice
  /**
   * A signal that is aborted when the server stops. A request that is only waiting for new data then responds
   * at once.
   */
  stopping: AbortSignal
  /** Counts a procedure as running until the promise settles. A stopping server waits for running procedures. */
  track<T>(procedure: Promise<T>): Promise<T>
  setHeader(name: string, value: string): void
  /** Registers a function that runs when the client has received the whole response or has disconnected. */
  onReceived(run: () => void): void
  /**
   * A cookie that proves that the user has logged in from this browser before. With this cookie, failed logins
   * from other devices do not delay a login from this browser (http/device-cookie.ts).
   */
  device?: DeviceCookie | undefined
  /** The cookie with the dashboard's refresh token (http/session-cookie.ts). Undefined for REST requests. */
  session?: SessionCookie | undefined
  /** The request body, for REST operations that accept a format other than JSON. */
  upload?: AsyncIterable<Buffer> | undefined
  /**
   * Sends one line of a streamed response. Throws if the client has disconnected. Undefined for a response
   * that cannot be streamed.
   */
  writeLine?: ((line: StreamedLine) => Promise<void>) | undefined
  /** True if the response streams the lines passed to `writeLine`. False if it is one JSON body. */
  isStreamed?: boolean | undefined
}

/**
 * `read` returns the refresh token in the cookie. It throws FORBIDDEN if the request came from a page on another
 * site.
 */
export type SessionCookie = { read(): string | undefined; keep(token: string): void; clear(): void }

/** `read` returns the device tokens in the cookie. `keep` adds a token, or replaces the earlier token of its device. */
export type DeviceCookie = { read(): string[]; keep(token: string): void }

export type StreamedLine = { type: string } & Record<string, unknown>

/** Finds an API key by its hash. Throws RATE_LIMITED if the request's IP address has sent too many unknown keys. */
type FindKey = (keyHash: Buffer) => Promise<Credential | undefined>

export const identifyCaller = (
  app: App,
  authorization: string | undefined,
  address: string | undefined,
  findKey: FindKey,
): Promise<Caller | GatewayError> => orGatewayError(() => readCaller(app, authorization, address, findKey))

/**
 * Checks again that an already identified user is still logged in. Only the session is checked, because the access
 * token may have expired in the meantime.
 */
export const identifyUserAgain = (app: App, user: UserCaller): Promise<UserCaller | GatewayError> =>
  orGatewayError(() => callerOfSession(app, user))

async function orGatewayError<Result>(identify: () => Promise<Result>): Promise<Result | GatewayError> {
  try {
    return await identify()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

async function readCaller(
  app: App,
  authorization: string | undefined,
  address: string | undefined,
  findKey: FindKey,
): Promise<Caller> {
  if (!authorization) throw fault('credential_missing')
  const [, scheme = '', credential = ''] = /^(\S+)\s+(\S+)\s*$/.exec(authorization) ?? []
  switch (scheme.toLowerCase()) {
    case 'apikey':
      return keyCaller(app, credential, address, findKey)
    case 'bearer':
      return userCaller(app, credential)
    default:
      // A Bearer header without a token is treated like an invalid token.
      if (/^bearer\b/i.test(authorization)) return userCaller(app, '')
      throw fault('scheme_unknown')
  }
}

async function keyCaller(
  app: App,
  key: string,
  address: string | undefined,
  findKey: FindKey,
): Promise<Caller> {
  const hash = app.secrets.hash(key)
  const found = app.cachedCredential(hash) ?? (isApiKey(key) ? await findKey(hash) : undefined)
  const isOver = found?.sessionId != null && !(await app.sessionOf(found.sessionId))
  if (!found || isOver) throw fault('api_key_invalid')
  if (found.tenantStatus === 'suspended') throw fault('tenant_suspended')
  if (!isAllowedSource(found.allowedIps, address))
    throw fault('address_not_allowed', { address: address ?? 'unknown' })
  const isSessionKey = found.sessionId !== null
  if (!isSessionKey) app.noteKeyUse(found.keyId)
  return {
    kind: 'api_key',
    tenantId: found.tenantId,
    role: found.role,
    tier: found.tier,
    limits: await app.limitsOf(found.tenantId, found.tier),
    mode: found.mode,
    keyId: found.keyId,
    isSessionKey,
    scopes: found.scopes,
  }
}

async function userCaller(app: App, token: string): Promise<Caller> {
  const claims = await verifyAccessToken(await app.keyRing(), token, app.clock())
  const { sub: tenantId, role, user_id: userId, sid: sessionId } = claims
  return callerOfSession(app, { tenantId, role, userId, sessionId })
}

type SessionUser = Pick<UserCaller, 'tenantId' | 'role' | 'userId' | 'sessionId'>

async function callerOfSession(app: App, user: SessionUser): Promise<UserCaller> {
  const [tenant, session] = await Promise.all([app.tenantOf(user.tenantId), app.sessionOf(user.sessionId)])
  if (!session) throw fault('access_token_invalid')
  if (!tenant || tenant.status === 'suspended') throw fault('tenant_suspended')
  return {
    kind: 'user',
    tenantId: tenant.id,
    partnerId: tenant.parentId,
    role: user.role,
    // The tenant's current tier is used, because the tier in the access token may be up to 15 minutes old.
    tier: tenant.tier,
    limits: await app.limitsOf(tenant.id, tenant.tier),
    userId: user.userId,
    // Reads the user's current permissions, because those in the access token may be up to 15 minutes old.
    permissions: session.permissions,
    hasSecondFactor: session.hasSecondFactor,
    provenAt: session.provenAt,
    mustEnrol: tenant.secondFactorRequired && !session.hasSecondFactor,
    sessionId: user.sessionId,
  }
}
