// Calls a procedure for the REST API. tRPC's own caller copies objects with a slow helper, which takes a tenth of a
// read request's CPU time (docs/upstream/trpc.md). This caller uses spread syntax instead.
//
// The list of middlewares is an undocumented part of tRPC. This file was written for @trpc/server 11.25.2, based on
// `callRecursive` and `createProcedureCaller` in src/unstable-core-do-not-import/procedureBuilder.ts. Before
// upgrading tRPC, read these two functions again and change the version in this comment.

import { type AnyTRPCProcedure, getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server'
import type { Context } from './context.ts'

export type ProcedureCall = {
  path: string
  type: AnyTRPCProcedure['_def']['type']
  getRawInput: () => Promise<unknown>
  ctx: Context
  signal: AbortSignal | undefined
  batchIndex: number
}

type Result = { ok: true; data: unknown } | { ok: false; error: TRPCError }
type Change = Partial<Pick<ProcedureCall, 'ctx' | 'getRawInput'>> & { input?: unknown }
type Options = ProcedureCall & { meta: unknown; input: unknown }
/** A procedure's middleware. The last middleware calls the handler instead of `next`. */
type Middleware = (options: Options & { next: (change?: Change) => Promise<Result> }) => Promise<Result>
type Definition = { middlewares: Middleware[]; meta: unknown }

/** Returns the procedure's output. Throws a TRPCError whose `cause` is the error that the procedure threw. */
export async function callProcedure(procedure: AnyTRPCProcedure, call: ProcedureCall): Promise<unknown> {
  const { middlewares, meta } = procedure._def as unknown as Definition
  const result = await runFrom(0, middlewares, { ...call, meta, input: undefined })
  if (!result.ok) throw result.error
  return result.data
}

/**
 * Runs the middleware at the position `index` and all later middlewares. Returns errors instead of throwing
 * them, so that a middleware can handle the errors of later middlewares.
 */
async function runFrom(index: number, middlewares: Middleware[], options: Options): Promise<Result> {
  const next = (change: Change = {}) =>
    runFrom(index + 1, middlewares, {
      ...options,
      ctx: change.ctx ? { ...options.ctx, ...change.ctx } : options.ctx,
      input: 'input' in change ? change.input : options.input,
      getRawInput: change.getRawInput ?? options.getRawInput,
    })
  try {
    return await (middlewares[index] as Middleware)({ ...options, next })
  } catch (cause) {
    return { ok: false, error: getTRPCErrorFromUnknown(cause) }
  }
}
