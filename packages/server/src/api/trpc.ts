// The base procedures, one for each kind of access. A base procedure checks the caller and then calls the handler
// in the caller's database scope (db/tenant-scope.ts).
//
// The middlewares add nothing to tRPC's context, because tRPC copies the context for each addition.

import { initTRPC, TRPCError } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { runOnce } from '../audit/run-once.ts'
import { runOnceWithLease } from '../audit/run-once-with-lease.ts'
import { isInScope, type NeededScope, scopesIn } from '../auth/api-keys/scope.ts'
import { isRecentProof } from '../auth/second-factor/challenge.ts'
import { isPermitted, type NeededPermission, permissionsThatAllow } from '../auth/users/permission.ts'
import {
  exhaustedResource,
  isDatabaseUnavailable,
  isDataDamaged,
  isStatementAborted,
} from '../db/database-errors.ts'
import type { Db } from '../db/db.ts'
import { inScope, scopeOfTenant } from '../db/tenant-scope.ts'
import { type ErrorCode, GatewayError, statusOf, trpcCodeOf } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import type { Role } from '../tenants/tenant.ts'
import { scopeOfViewer } from '../tenants/tenant-scope.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { idempotencyKeyPattern } from '../values/idempotency-key.ts'
import { firstIssue, furthest, ruleOf } from '../values/input-rules.ts'
import { inTurnOfCaller, inTurnOfSource } from './call-limits.ts'
import type { Caller, Context, KeyCaller, UserCaller } from './context.ts'
import { currentCaller } from './current-caller.ts'

/**
 * The kind of caller that may call a procedure. The OpenAPI document shows it, and the base procedures in this file
 * enforce it.
 */
export type Access = 'public' | 'api_key' | 'user' | 'tenant'

/** The columns of a CSV or Excel export. */
export type SheetForm = {
  columns: readonly string[]
  /** The export's columns with amounts in cents. The spreadsheet form shows these amounts in rupiah. */
  money?: readonly string[]
  /**
   * The export's columns with times. The times are in UTC, except in the spreadsheet form, which converts
   * them to Jakarta time.
   */
  times?: readonly string[]
}

/**
 * Describes how the lines of a stream become CSV rows. The function `rowOf` converts a line to a row. If `rowOf` is
 * missing, the columns are the fields of the line.
 */
export type LinesAsCsv = SheetForm & {
  type: string
  rowOf?: (line: Record<string, unknown>) => Record<string, unknown>
}

export type Meta = OpenApiMeta<{
  access?: Access
  /** The tenant roles that may call the procedure. If the list is empty, every tenant may call it. */
  roles?: Role[]
  /**
   * The permission that a user needs (auth/users/permission.ts). The base procedure, such as `userProcedure`, sets this
   * field.
   */
  permission?: NeededPermission
  /**
   * The scope that an API key must have to call the procedure. A key without any scopes is not restricted and can also
   * call it. The base procedure, such as `keyProcedure`, sets this field.
   */
  scope?: NeededScope
  /**
   * If true, a user who has a second factor can call the procedure only if the user confirmed this factor in
   * the last 15 minutes.
   */
  stepUp?: boolean
  /**
   * The error codes that only this procedure returns. Omit the codes that every procedure with the same kind of
   * access or input returns, because the OpenAPI document adds these codes automatically.
   */
  errors?: ErrorCode[]
  /** If true, the procedure also accepts the API key that the dashboard creates for a session's test payments. */
  sessionKey?: boolean
  /**
   * If true, the OpenAPI document states that the procedure accepts only test API keys. This field only documents it:
   * the procedure itself must reject live API keys.
   */
  testModeOnly?: boolean
  /** If true, a request without an X-Idempotency-Key header is rejected. */
  idempotent?: boolean
  /**
   * If this field is set, the procedure ignores the X-Idempotency-Key header for the given reason. All other
   * POST procedures for users accept the header (`acceptsKey`).
   */
  ignoresKey?: 'password' | 'second factor'
  /**
   * If set, the response for the X-Idempotency-Key is stored after the request has ended
   * (audit/run-once-with-lease.ts). The value is the reason why the procedure and the key cannot share a transaction.
   */
  storesResponseLater?: 'calls a provider' | 'several transactions' | 'hashes a password'
  /**
   * The request body's schema in the OpenAPI document. Set only if the fields depend on each other in a way
   * that the input schema cannot express.
   */
  body?: z.ZodType
  /**
   * Returns the columns of a CSV or Excel export for the parameter `query`. Only procedures with an export set this
   * function. The exported rows are the response's `items`, unless the function returns `rows`.
   */
  sheet?: (
    query: Record<string, unknown>,
    data: unknown,
  ) => SheetForm & { rows?: readonly Record<string, unknown>[] }
  /**
   * Set if the response can be streamed as NDJSON or CSV. `schema` describes one line of the NDJSON stream. The
   * CSV stream contains only lines of one type, which `csv` describes. `permission` is set if a user needs another
   * permission for the stream than for the JSON response.
   */
  lines?: { schema: z.ZodType; csv: LinesAsCsv; permission?: NeededPermission }
  /** The media type and maximum size of a request body that is not JSON. Set only if the procedure accepts one. */
  upload?: { type: string; maxBytes: number }
}>

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Prevents tRPC from adding stack traces to responses. Only the service's log may contain stack traces.
    isDev: false,
    // The settings for subscriptions (live/live.router.ts). The service sends pings, because otherwise our HTTP
    // server (http/server.ts) or a load balancer would close an idle connection.
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      maxDurationMs: 5 * 60_000,
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter({ shape, error }) {
      const known = trpcShape(gatewayErrorOf(error))
      return { ...known, data: { ...shape.data, ...known.data } }
    },
  })

type Shown = Pick<GatewayError, 'code' | 'message' | 'fault' | 'params' | 'field' | 'shown'>

/**
 * Returns an error in tRPC's protocol format, with tRPC's codes. `errorCode` is the corresponding, more specific code
 * of the REST API. The dashboard translates the error with `fault`, `params` and `field`.
 */
export function trpcShape({ code, message, fault, params, field, shown }: Shown) {
  const name = trpcCodeOf(code)
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[name],
    data: { code: name, httpStatus: statusOf(code), errorCode: code, fault, params, field, shown },
  }
}

export const router = t.router

// If a client disconnects, the handler of a tRPC request ends before its procedures (http/trpc-route.ts). Running
// procedures are therefore counted, too.
const base = t.procedure.use(({ ctx, next }) => ctx.track(next()))

/**
 * The base for procedures without authentication. The caller's tenant is unknown, so these procedures run without a
 * database scope (db/tenant-scope.ts).
 *
 * Only a few calls from one source address run at a time, and the others wait. Without this limit, calls that wait for
 * the same row, such as a session, could hold all database connections.
 */
export const publicProcedure = base
  .meta({ access: 'public' })
  .use(({ ctx, next, signal }) => inTurnOfSource(ctx.source(), () => next(), signal))

/**
 * The base procedure for logins. Unlike `publicProcedure`, it does not limit the calls from one source. Password checks
 * have their own queue for this, in which the accounts of a source take turns (auth/passwords/password-check-queue.ts).
 */
export const loginProcedure = base.meta({ access: 'public' })

/** The scope that an API key must have to call a procedure, unless the key has no scopes. */
type ForKeys = { scope: NeededScope }

/** The base for all procedures of the payment flow. Their caller must use an API key, not a JWT. */
export const keyProcedure = ({ scope, roles = [] }: ForKeys & { roles?: Role[] }) =>
  base.meta({ access: 'api_key', roles, scope }).use(({ ctx, next, meta }) => {
    const caller = admitted({ ...meta, access: 'api_key', roles, scope }, ctx)
    return inScope(scopeOfTenant(caller.tenantId), () => next<{ caller: KeyCaller }>({}))
  })

/**
 * The permission and tenant role that a user needs to call a procedure. If `stepUp` is set, a user with a second
 * factor must have confirmed this factor in the last 15 minutes. Operations that move money or replace keys set
 * `stepUp`.
 */
type ForUsers = {
  permission: NeededPermission
  roles?: Role[]
  stepUp?: boolean
}

/**
 * Returns the tRPC builder for the dashboard's procedures. These procedures require a JWT and reject an API key. Their
 * SQL statements see only the tenants that the caller may access. Without `roles`, users of all roles may call the
 * procedure. Changes can wait in a queue (call-limits.ts), except the Owner's changes and long changes.
 */
export const userProcedure = ({ permission, roles = [], stepUp = false }: ForUsers) =>
  base
    .meta({ access: 'user', roles, permission, stepUp })
    .use(async ({ ctx, next, meta, path, type, signal, getRawInput }) => {
      const needed = { access: 'user', roles, permission } as const
      const caller = admitted(needed, ctx) as UserCaller
      if (stepUp) await requireRecentProof(ctx)
      const withCurrentCaller = currentCaller(ctx)
      const work = async () => {
        admitted(needed, await withCurrentCaller())
        const { idempotencyKey, app } = ctx
        if (idempotencyKey === undefined || !acceptsKey(meta)) return next<{ caller: UserCaller }>({})
        if (!idempotencyKeyPattern.test(idempotencyKey))
          throw fault('idempotency_key_invalid', {}, { field: 'X-Idempotency-Key' })
        const key = { tenantId: caller.tenantId, userId: caller.userId, key: idempotencyKey }
        const request = `${path} ${canonicalJson(await getRawInput())}`
        const run = async (db: Db) => {
          const result = await next({ ctx: { ...ctx, app: { ...app, db }, caller } })
          // A failed request must throw an error. The idempotency key is then released, so the client can retry
          // with the same key.
          if (!result.ok) throw result.error
          return result
        }
        let done: Awaited<ReturnType<typeof run>> | undefined
        const dataOf = async (db: Db) => {
          done = await run(db)
          return done.data
        }
        const { response, isReplayed } = meta?.storesResponseLater
          ? await runOnceWithLease(app, key, request, () => dataOf(app.db))
          : await runOnce(app, key, request, dataOf)
        if (isReplayed) ctx.setHeader('Idempotency-Replayed', 'true')
        return done ?? replayed<typeof done>(response)
      }
      const isLimited = type === 'mutation' && caller.role !== 'owner' && !isLongChange(meta)
      return inScope(scopeOfViewer(caller), () => (isLimited ? inTurnOfCaller(caller, work, signal) : work()))
    })

/**
 * Returns true if a change can call a provider or run many transactions. Such a change is not limited, because other
 * changes would wait for it for a long time.
 */
const isLongChange = ({ storesResponseLater }: Meta = {}): boolean =>
  storesResponseLater === 'calls a provider' || storesResponseLater === 'several transactions'

/**
 * Creates a tRPC middleware result from a stored response when a request is repeated. tRPC has no public function
 * for this.
 */
const replayed = <Result>(data: unknown) => ({ ok: true, data }) as unknown as NonNullable<Result>

/** Returns whether a repeated request with the same X-Idempotency-Key gets the response to the first request. */
export const acceptsKey = ({ access, openapi, ignoresKey }: Meta = {}): boolean =>
  access === 'user' && openapi?.method === 'POST' && ignoresKey === undefined

/**
 * The base procedure for callers with an API key or a JWT. The handler runs in a database scope, in which SQL
 * statements see only the caller's own tenant.
 */
export const tenantProcedure = ({ permission, scope }: Pick<ForUsers, 'permission'> & ForKeys) =>
  base.meta({ access: 'tenant', permission, scope }).use(({ ctx, next, meta }) => {
    const { tenantId } = admitted({ ...meta, access: 'tenant', permission, scope }, ctx)
    return inScope(scopeOfTenant(tenantId), () => next<{ caller: Caller }>({}))
  })

/**
 * Returns the caller if it may call the procedure whose `meta` is given. Otherwise throws UNAUTHORIZED or FORBIDDEN.
 * The REST API calls this function before it reads the request body (http/rest.ts).
 */
export function admitted(
  { access, roles = [], permission, scope, sessionKey = false }: Pick<Meta, (typeof admissionFields)[number]>,
  { caller }: Pick<Context, 'caller'>,
): Caller {
  if (caller instanceof GatewayError) throw caller
  if (access === 'api_key' && caller.kind !== 'api_key') throw fault('api_key_required')
  if (access === 'user' && caller.kind !== 'user') throw fault('access_token_required')
  if (caller.kind === 'api_key' && caller.isSessionKey && !sessionKey) throw fault('session_key_limited')
  if (roles.length > 0 && !roles.includes(caller.role))
    throw fault('role_not_allowed', { role: caller.role, allowed: roles })
  if (caller.kind === 'api_key' && scope !== undefined && !isInScope(caller.scopes, scope))
    throw fault('scope_missing', { needed: scopesIn(scope), held: caller.scopes })
  if (permission === undefined || caller.kind !== 'user') return caller
  if (!isPermitted(caller.permissions, permission))
    throw fault('permission_missing', {
      needed: permissionsThatAllow(permission),
      held: caller.permissions,
    })
  if (caller.mustEnrol && permission !== 'self') throw fault('second_factor_needed')
  return caller
}

/**
 * Returns true if the caller has a second factor but has not confirmed it in the last 15 minutes. The cached session
 * may be up to a second old, so the function checks the session in the database before it returns true.
 */
export async function isProofStale({ app, caller }: Pick<Context, 'app' | 'caller'>): Promise<boolean> {
  if (caller instanceof GatewayError || caller.kind !== 'user' || !caller.hasSecondFactor) return false
  const at = app.clock()
  if (isRecentProof(caller.provenAt, at)) return false
  const session = await app.readSession(caller.sessionId)
  return !isRecentProof(session?.provenAt ?? null, at)
}

/** Throws OTP_REQUIRED if the caller must confirm the second factor again. */
export async function requireRecentProof(context: Pick<Context, 'app' | 'caller'>): Promise<void> {
  if (await isProofStale(context)) throw fault('second_factor_stale')
}

/** The metadata fields of a procedure that determine who may call it. The function `admitted` reads them. */
export const admissionFields = ['access', 'roles', 'permission', 'scope', 'sessionKey'] as const

/** Converts any value that a procedure threw to the error sent to the caller. */
export function gatewayErrorOf(error: unknown): GatewayError {
  const thrown = error instanceof TRPCError && error.cause ? error.cause : error
  if (thrown instanceof GatewayError) return thrown
  if (thrown instanceof z.ZodError && error instanceof TRPCError && error.code === 'BAD_REQUEST')
    return badRequest(thrown)
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') return ofTrpc(error)
  if (isStatementAborted(thrown)) return fault('database_busy', {}, { retryAfterSeconds: 1, cause: thrown })
  const exhausted = exhaustedResource(thrown)
  if (exhausted !== undefined) return fault(exhausted, {}, { retryAfterSeconds: 5, cause: thrown })
  if (isDatabaseUnavailable(thrown))
    return fault('database_unreachable', {}, { retryAfterSeconds: 1, cause: thrown })
  if (isDataDamaged(thrown)) return fault('data_damaged', {}, { retryAfterSeconds: 60, cause: thrown })
  return fault('unexpected', {}, { cause: thrown })
}

/** Converts a validation error to BAD_REQUEST. The message contains only the first issue and its field name. */
function badRequest(error: z.ZodError): GatewayError {
  const issue = furthest(firstIssue(error))
  const { id, params } = ruleOf(issue)
  return fault(id, params, { field: issue.path.map(String).join('.') || 'body' })
}

/** Converts an error that tRPC itself threw, for example because the procedure does not exist. */
function ofTrpc({ code, message: detail }: TRPCError): GatewayError {
  switch (code) {
    case 'NOT_FOUND':
      return fault('call_not_found', { detail })
    case 'METHOD_NOT_SUPPORTED':
      return fault('call_method_not_allowed', { detail })
    case 'PAYLOAD_TOO_LARGE':
      return fault('call_too_large', { detail })
    case 'UNSUPPORTED_MEDIA_TYPE':
      return fault('call_type_wrong', { detail })
    default:
      return fault('call_malformed', { detail })
  }
}
