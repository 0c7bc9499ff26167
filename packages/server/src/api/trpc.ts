// The bases of all procedures, one for each way to call: what a base promises about the caller, its handlers
// may rely on, and what it asks of the database runs in the caller's scope (db/scope.ts). Each is one middleware, since every one costs, and only looks at the context: tRPC copies a context
// that is handed on anew.

import { initTRPC, TRPCError } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { isDatabaseAway, isDatabaseBusy } from '../db/db.ts'
import { inScope, scopeOfTenant } from '../db/scope.ts'
import { shortageOf } from '../db/shortage.ts'
import { type ErrorCode, GatewayError, statusOf, trpcCodeOf } from '../errors.ts'
import '../input-rules.ts'
import { scopeOf } from '../tenants/seen-tenants.ts'
import type { Role } from '../tenants/tenant.ts'
import type { Caller, Context, KeyCaller, UserCaller } from './context.ts'

/** Who may call: for the OpenAPI document, which the bases below keep true. */
export type Access = 'public' | 'api_key' | 'user' | 'tenant'

/** rowOf: where a line has its columns by other names. */
export type LinesAsCsv = {
  type: string
  columns: readonly string[]
  rowOf?: (line: Record<string, unknown>) => Record<string, unknown>
}

export type Meta = OpenApiMeta<{
  access?: Access
  /** Of the caller's tenant; empty: any. */
  roles?: Role[]
  /** What it can fail with besides what its access and input entail. */
  errors?: ErrorCode[]
  /** Also for the key that a dashboard session creates test payments with. */
  sessionKey?: boolean
  /** The request must carry X-Idempotency-Key. */
  idempotent?: boolean
  /** Documents a body whose fields depend on each other, where the parser cannot say it. */
  body?: z.ZodType
  /** Its items are to be had as CSV too; these are the columns for a query. */
  csv?: (query: Record<string, unknown>) => string[]
  /** To be had in lines while it is made: as NDJSON all of them, as CSV those of one type. */
  lines?: { schema: z.ZodType; csv: LinesAsCsv }
  /** Its body is of this type instead of JSON, and may be that large. */
  upload?: { type: string; maxBytes: number }
}>

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // A stack trace is for our log.
    isDev: false,
    // Open pages (live/live.router.ts). A connection on which nothing comes is ended, here (http/server.ts) and by balancers.
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

/** An error as tRPC's protocol has it, with tRPC's codes. errorCode: the code of the REST API, which tells more. */
export function trpcShape({ code, message }: { code: ErrorCode; message: string }) {
  const name = trpcCodeOf(code)
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[name],
    data: { code: name, httpStatus: statusOf(code), errorCode: code },
  }
}

export const router = t.router

const base = t.procedure

/** In no scope: nobody is known yet. */
export const publicProcedure = base.meta({ access: 'public' })

/** The payment flow: an API key and no JWT. */
export const keyProcedure = (...roles: Role[]) =>
  base.meta({ access: 'api_key', roles }).use(({ ctx, next, meta }) => {
    const caller = admitted({ ...meta, access: 'api_key', roles }, ctx)
    return inScope(scopeOfTenant(caller.tenantId), () => next<{ caller: KeyCaller }>({}))
  })

/** The dashboard: a JWT and no API key. With the tenants that the caller sees. */
export const userProcedure = (...roles: Role[]) =>
  base.meta({ access: 'user', roles }).use(({ ctx, next }) => {
    const caller = admitted({ access: 'user', roles }, ctx)
    return inScope(scopeOf(caller), () => next<{ caller: UserCaller }>({}))
  })

/** Either credential, and the caller's own tenant. */
export const tenantProcedure = base.meta({ access: 'tenant' }).use(({ ctx, next, meta }) => {
  const { tenantId } = admitted({ ...meta, access: 'tenant' }, ctx)
  return inScope(scopeOfTenant(tenantId), () => next<{ caller: Caller }>({}))
})

/** What a base promises of the caller, for REST to know before it reads a body (http/rest.ts). Throws UNAUTHORIZED or FORBIDDEN. */
export function admitted(
  { access, roles = [], sessionKey = false }: Pick<Meta, 'access' | 'roles' | 'sessionKey'>,
  { caller }: Pick<Context, 'caller'>,
): Caller {
  if (caller instanceof GatewayError) throw caller
  if (access === 'api_key' && caller.kind !== 'api_key')
    throw new GatewayError('UNAUTHORIZED', 'this endpoint takes an API key: `Authorization: ApiKey <key>`')
  if (access === 'user' && caller.kind !== 'user')
    throw new GatewayError(
      'UNAUTHORIZED',
      'this endpoint takes an access token: `Authorization: Bearer <token>`',
    )
  if (caller.kind === 'api_key' && caller.isOfSession && !sessionKey)
    throw new GatewayError(
      'FORBIDDEN',
      'this key is for test payments in the dashboard; use an API key of your own',
    )
  if (roles.length > 0 && !roles.includes(caller.role))
    throw new GatewayError(
      'FORBIDDEN',
      `a tenant of the role ${caller.role} cannot call this; it is for ${roles.join(', ')}`,
    )
  return caller
}

/** Whatever a procedure threw, as what the caller is told. */
export function gatewayErrorOf(error: unknown): GatewayError {
  const thrown = error instanceof TRPCError && error.cause ? error.cause : error
  if (thrown instanceof GatewayError) return thrown
  if (thrown instanceof z.ZodError && error instanceof TRPCError && error.code === 'BAD_REQUEST')
    return badRequest(thrown)
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') return ofTrpc(error)
  if (isDatabaseBusy(thrown))
    return new GatewayError('SERVICE_UNAVAILABLE', 'what it needs is in use just now; try again', {
      retryAfterSeconds: 1,
      cause: thrown,
    })
  const shortage = shortageOf(thrown)
  if (shortage !== undefined)
    return new GatewayError('SERVICE_UNAVAILABLE', shortage, { retryAfterSeconds: 5, cause: thrown })
  if (isDatabaseAway(thrown))
    return new GatewayError('SERVICE_UNAVAILABLE', 'the database cannot be reached; try again', {
      retryAfterSeconds: 1,
      cause: thrown,
    })
  return new GatewayError('INTERNAL_ERROR', 'unexpected fault', { cause: thrown })
}

/** The first issue, since one thing at a time can be mended; it names its field. */
function badRequest(error: z.ZodError): GatewayError {
  const issue = deepest(error.issues[0])
  const field = issue?.path.map(String).join('.') || 'body'
  return new GatewayError('BAD_REQUEST', `${field}: ${issue?.message ?? 'is invalid'}`)
}

/** Of a union that no member of fits, the complaint of the member that came furthest. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union' || issue.errors.length === 0) return issue
  const last = issue.errors.at(-1)?.[0]
  return last ? { ...last, path: [...issue.path, ...last.path] } : issue
}

function ofTrpc(error: TRPCError): GatewayError {
  switch (error.code) {
    case 'NOT_FOUND':
      return new GatewayError('NOT_FOUND', error.message)
    case 'METHOD_NOT_SUPPORTED':
      return new GatewayError('METHOD_NOT_ALLOWED', error.message)
    case 'PAYLOAD_TOO_LARGE':
      return new GatewayError('PAYLOAD_TOO_LARGE', error.message)
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new GatewayError('UNSUPPORTED_MEDIA_TYPE', error.message)
    default:
      return new GatewayError('BAD_REQUEST', error.message)
  }
}
