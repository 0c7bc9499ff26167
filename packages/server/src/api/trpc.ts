// The base procedures, one for each kind of access. A handler may rely on its base's checks of the caller, and runs its
// statements in the caller's scope (db/tenant-scope.ts). For speed, each base is a single middleware and adds nothing
// to the context, because tRPC would copy the context.

import { initTRPC, TRPCError } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { runOnce } from '../audit/run-once.ts'
import { exhaustedResource, isDatabaseUnavailable, isStatementTimeout } from '../db/database-errors.ts'
import type { Db } from '../db/db.ts'
import { inScope, scopeOfTenant } from '../db/tenant-scope.ts'
import { type ErrorCode, GatewayError, statusOf, trpcCodeOf } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import type { Role } from '../tenants/tenant.ts'
import { scopeOfViewer } from '../tenants/tenant-scope.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { idempotencyKeyPattern } from '../values/idempotency-key.ts'
import { furthest, ruleOf } from '../values/input-rules.ts'
import type { Caller, Context, KeyCaller, UserCaller } from './context.ts'

/** Which callers may call a procedure. The OpenAPI document shows this; the base procedures below enforce it. */
export type Access = 'public' | 'api_key' | 'user' | 'tenant'

/** `rowOf` converts a line to a row, for lines whose fields have other names than the columns. */
export type LinesAsCsv = {
  type: string
  columns: readonly string[]
  rowOf?: (line: Record<string, unknown>) => Record<string, unknown>
}

export type Meta = OpenApiMeta<{
  access?: Access
  /** The caller's tenant must have one of these roles; if empty, any role is accepted. */
  roles?: Role[]
  /** The procedure's errors in addition to those that follow from its access and input. */
  errors?: ErrorCode[]
  /** If true, the procedure also accepts the key with which a dashboard session creates test payments. */
  sessionKey?: boolean
  /** If true, the request must have an X-Idempotency-Key header. */
  idempotent?: boolean
  /**
   * Why the procedure ignores an X-Idempotency-Key header, although it is a POST request of a user. All others accept
   * one (`acceptsKey`).
   */
  ignoresKey?: 'calls a provider' | 'several transactions' | 'password'
  /**
   * The schema of the request body in the API document, if the parser's schema cannot express how fields depend on each
   * other.
   */
  body?: z.ZodType
  /** Set if the items are also available as CSV; returns the CSV columns for a query. */
  csv?: (query: Record<string, unknown>) => string[]
  /**
   * Set if the response can also be streamed while it is produced: NDJSON contains all lines, CSV those of one type.
   */
  lines?: { schema: z.ZodType; csv: LinesAsCsv }
  /** Set if the request body has this media type instead of JSON; it may have up to `maxBytes` bytes. */
  upload?: { type: string; maxBytes: number }
}>

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Without this setting, tRPC could add stack traces to responses. Only our log may have them.
    isDev: false,
    // Settings of subscriptions (live/live.router.ts). Pings keep their connections open, because the server
    // (http/server.ts) and load balancers close idle connections.
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
 * Returns an error in the format of tRPC's protocol, with tRPC's codes. `errorCode` is the code of the REST API, which
 * is more specific. Clients use `fault`, `params` and `field` to show the error in another language.
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

/**
 * For procedures without authentication. They run without a database scope, because there is no caller whose tenant
 * could be the scope.
 */
export const publicProcedure = base.meta({ access: 'public' })

/** For procedures of the payment flow. They require an API key and reject a JWT. */
export const keyProcedure = (...roles: Role[]) =>
  base.meta({ access: 'api_key', roles }).use(({ ctx, next, meta }) => {
    const caller = admitted({ ...meta, access: 'api_key', roles }, ctx)
    return inScope(scopeOfTenant(caller.tenantId), () => next<{ caller: KeyCaller }>({}))
  })

/**
 * For procedures of the dashboard. They require a JWT, reject an API key, and run in the database scope of the tenants
 * that the caller may access.
 */
export const userProcedure = (...roles: Role[]) =>
  base.meta({ access: 'user', roles }).use(({ ctx, next, meta, path, getRawInput }) => {
    const caller = admitted({ access: 'user', roles }, ctx) as UserCaller
    return inScope(scopeOfViewer(caller), async () => {
      const { idempotencyKey, app } = ctx
      if (idempotencyKey === undefined || !acceptsKey(meta)) return next<{ caller: UserCaller }>({})
      if (!idempotencyKeyPattern.test(idempotencyKey))
        throw fault('idempotency_key_invalid', {}, { field: 'X-Idempotency-Key' })
      const key = { tenantId: caller.tenantId, userId: caller.userId, key: idempotencyKey }
      const request = `${path} ${canonicalJson(await getRawInput())}`
      const run = async (db: Db) => {
        const result = await next({ ctx: { ...ctx, app: { ...app, db }, caller } })
        // The error rolls the transaction back, so that a failed request leaves no key behind.
        if (!result.ok) throw result.error
        return result
      }
      let done: Awaited<ReturnType<typeof run>> | undefined
      const { response, isReplayed } = await runOnce(app, key, request, async db => {
        done = await run(db)
        return done.data
      })
      if (isReplayed) ctx.setHeader('Idempotency-Replayed', 'true')
      return done ?? replayed<typeof done>(response)
    })
  })

/** A result of a middleware. tRPC has no public function that creates one without running the procedure. */
const replayed = <Result>(data: unknown) => ({ ok: true, data }) as unknown as NonNullable<Result>

/** Returns whether a repeated request with the same X-Idempotency-Key returns the first response. */
export const acceptsKey = ({ access, openapi, ignoresKey }: Meta = {}): boolean =>
  access === 'user' && openapi?.method === 'POST' && ignoresKey === undefined

/** For procedures that accept an API key or a JWT. They run in the database scope of the caller's own tenant. */
export const tenantProcedure = base.meta({ access: 'tenant' }).use(({ ctx, next, meta }) => {
  const { tenantId } = admitted({ ...meta, access: 'tenant' }, ctx)
  return inScope(scopeOfTenant(tenantId), () => next<{ caller: Caller }>({}))
})

/**
 * Checks that the caller may call a procedure with this `meta`. Throws UNAUTHORIZED or FORBIDDEN otherwise. The REST
 * API calls it before it reads the request body (http/rest.ts).
 */
export function admitted(
  { access, roles = [], sessionKey = false }: Pick<Meta, 'access' | 'roles' | 'sessionKey'>,
  { caller }: Pick<Context, 'caller'>,
): Caller {
  if (caller instanceof GatewayError) throw caller
  if (access === 'api_key' && caller.kind !== 'api_key') throw fault('api_key_required')
  if (access === 'user' && caller.kind !== 'user') throw fault('access_token_required')
  if (caller.kind === 'api_key' && caller.isSessionKey && !sessionKey) throw fault('session_key_limited')
  if (roles.length > 0 && !roles.includes(caller.role))
    throw fault('role_not_allowed', { role: caller.role, allowed: roles })
  return caller
}

/** Converts any value that a procedure threw to the error that the caller receives. */
export function gatewayErrorOf(error: unknown): GatewayError {
  const thrown = error instanceof TRPCError && error.cause ? error.cause : error
  if (thrown instanceof GatewayError) return thrown
  if (thrown instanceof z.ZodError && error instanceof TRPCError && error.code === 'BAD_REQUEST')
    return badRequest(thrown)
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') return ofTrpc(error)
  if (isStatementTimeout(thrown)) return fault('database_busy', {}, { retryAfterSeconds: 1, cause: thrown })
  const exhausted = exhaustedResource(thrown)
  if (exhausted !== undefined) return fault(exhausted, {}, { retryAfterSeconds: 5, cause: thrown })
  if (isDatabaseUnavailable(thrown))
    return fault('database_unreachable', {}, { retryAfterSeconds: 1, cause: thrown })
  return fault('unexpected', {}, { cause: thrown })
}

/** Converts a validation error to BAD_REQUEST. The message has only the first issue, with the name of its field. */
function badRequest(error: z.ZodError): GatewayError {
  const issue = furthest(error.issues[0] as z.core.$ZodIssue)
  const { id, params } = ruleOf(issue)
  return fault(id, params, { field: issue.path.map(String).join('.') || 'body' })
}

/** Converts an error that tRPC itself threw, for instance because the procedure does not exist. */
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
