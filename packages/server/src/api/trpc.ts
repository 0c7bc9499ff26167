// The base procedures, one for each kind of access. Handlers may rely on what a base checks about the caller, and their
// database statements run in the caller's scope (db/scope.ts). Each base is a single middleware, for speed, and passes
// no new context on, because tRPC would copy it.

import { initTRPC, TRPCError } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { isDatabaseAway, isDatabaseBusy } from '../db/db.ts'
import { inScope, scopeOfTenant } from '../db/scope.ts'
import { shortageOf } from '../db/shortage.ts'
import { type ErrorCode, GatewayError, statusOf, trpcCodeOf } from '../errors.ts'
import { fault } from '../faults/fault.ts'
import { furthest, ruleOf } from '../input-rules.ts'
import { scopeOf } from '../tenants/seen-tenants.ts'
import type { Role } from '../tenants/tenant.ts'
import type { Caller, Context, KeyCaller, UserCaller } from './context.ts'

/** Who may call a procedure, for the OpenAPI document; the bases below enforce it. */
export type Access = 'public' | 'api_key' | 'user' | 'tenant'

/** rowOf: for lines whose fields are named differently from the columns. */
export type LinesAsCsv = {
  type: string
  columns: readonly string[]
  rowOf?: (line: Record<string, unknown>) => Record<string, unknown>
}

export type Meta = OpenApiMeta<{
  access?: Access
  /** Roles that the caller's tenant must have; empty: any. */
  roles?: Role[]
  /** Errors in addition to those that its access and input imply. */
  errors?: ErrorCode[]
  /** Also allows the key with which a dashboard session creates test payments. */
  sessionKey?: boolean
  /** The request must have an X-Idempotency-Key header. */
  idempotent?: boolean
  /** Documents a body whose fields depend on each other, if the parser's schema cannot express that. */
  body?: z.ZodType
  /** The items are also available as CSV; returns the columns for a query. */
  csv?: (query: Record<string, unknown>) => string[]
  /** The response is also available in lines while it is produced: as NDJSON all lines, as CSV those of one type. */
  lines?: { schema: z.ZodType; csv: LinesAsCsv }
  /** The body has this type instead of JSON, and may have up to `maxBytes`. */
  upload?: { type: string; maxBytes: number }
}>

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Responses must not contain stack traces; only our log has them.
    isDev: false,
    // For subscriptions (live/live.router.ts). The server (http/server.ts) and load balancers close idle connections,
    // hence the pings.
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

type Shown = Pick<GatewayError, 'code' | 'message' | 'fault' | 'params' | 'field'>

/**
 * An error in tRPC's protocol, with tRPC's codes. errorCode: the code of the REST API, which is more specific. fault,
 * params, field: for clients that show the error in another language.
 */
export function trpcShape({ code, message, fault, params, field }: Shown) {
  const name = trpcCodeOf(code)
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[name],
    data: { code: name, httpStatus: statusOf(code), errorCode: code, fault, params, field },
  }
}

export const router = t.router

const base = t.procedure

/** Runs in no scope, because there is no authenticated caller. */
export const publicProcedure = base.meta({ access: 'public' })

/** For the payment flow: requires an API key and rejects a JWT. */
export const keyProcedure = (...roles: Role[]) =>
  base.meta({ access: 'api_key', roles }).use(({ ctx, next, meta }) => {
    const caller = admitted({ ...meta, access: 'api_key', roles }, ctx)
    return inScope(scopeOfTenant(caller.tenantId), () => next<{ caller: KeyCaller }>({}))
  })

/**
 * For the dashboard: requires a JWT and rejects an API key. Runs in the scope of the tenants that the caller may
 * access.
 */
export const userProcedure = (...roles: Role[]) =>
  base.meta({ access: 'user', roles }).use(({ ctx, next }) => {
    const caller = admitted({ access: 'user', roles }, ctx)
    return inScope(scopeOf(caller), () => next<{ caller: UserCaller }>({}))
  })

/** Accepts either credential. Runs in the scope of the caller's own tenant. */
export const tenantProcedure = base.meta({ access: 'tenant' }).use(({ ctx, next, meta }) => {
  const { tenantId } = admitted({ ...meta, access: 'tenant' }, ctx)
  return inScope(scopeOfTenant(tenantId), () => next<{ caller: Caller }>({}))
})

/**
 * Checks what a base requires of the caller. REST calls it before it reads a body (http/rest.ts). Throws UNAUTHORIZED
 * or FORBIDDEN.
 */
export function admitted(
  { access, roles = [], sessionKey = false }: Pick<Meta, 'access' | 'roles' | 'sessionKey'>,
  { caller }: Pick<Context, 'caller'>,
): Caller {
  if (caller instanceof GatewayError) throw caller
  if (access === 'api_key' && caller.kind !== 'api_key') throw fault('api_key_required')
  if (access === 'user' && caller.kind !== 'user') throw fault('access_token_required')
  if (caller.kind === 'api_key' && caller.isOfSession && !sessionKey) throw fault('session_key_limited')
  if (roles.length > 0 && !roles.includes(caller.role))
    throw fault('role_not_allowed', { role: caller.role, allowed: roles })
  return caller
}

/** Converts anything that a procedure threw to the error that the caller receives. */
export function gatewayErrorOf(error: unknown): GatewayError {
  const thrown = error instanceof TRPCError && error.cause ? error.cause : error
  if (thrown instanceof GatewayError) return thrown
  if (thrown instanceof z.ZodError && error instanceof TRPCError && error.code === 'BAD_REQUEST')
    return badRequest(thrown)
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') return ofTrpc(error)
  if (isDatabaseBusy(thrown)) return fault('database_busy', {}, { retryAfterSeconds: 1, cause: thrown })
  const shortage = shortageOf(thrown)
  if (shortage !== undefined) return fault(shortage, {}, { retryAfterSeconds: 5, cause: thrown })
  if (isDatabaseAway(thrown))
    return fault('database_unreachable', {}, { retryAfterSeconds: 1, cause: thrown })
  return fault('unexpected', {}, { cause: thrown })
}

/** Reports only the first issue, with the name of its field. */
function badRequest(error: z.ZodError): GatewayError {
  const issue = furthest(error.issues[0] as z.core.$ZodIssue)
  const { id, params } = ruleOf(issue)
  return fault(id, params, { field: issue.path.map(String).join('.') || 'body' })
}

/** tRPC's own errors, such as a procedure that does not exist. */
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
