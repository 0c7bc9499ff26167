// The REST API. It offers each tRPC procedure that has OpenAPI metadata, under the metadata's HTTP method and path. A
// procedure's input is the JSON body or the query, plus the path parameters. Values keep their types: a number in a
// string stays a string.

import type Router from '@koa/router'
import type { AnyTRPCProcedure } from '@trpc/server'
import type { Context as KoaContext } from 'koa'
import { z } from 'zod'
import { callProcedure } from '../api/call-procedure.ts'
import type { Context } from '../api/context.ts'
import { currentCaller } from '../api/current-caller.ts'
import { admissionFields, admitted, type Meta, requireRecentProof } from '../api/trpc.ts'
import { fault } from '../faults/fault.ts'
import { appRouter, proceduresOf } from '../router.ts'
import { isQueryInteger } from '../values/query-integer.ts'
import { type Admission, inSlot } from './admission/admission.ts'
import { bytesOf } from './admission/body-size.ts'
import { readJson, readUpload } from './body.ts'
import { deviceCookie } from './device-cookie.ts'
import { sendData } from './envelope.ts'
import { isPage, sendInSlices } from './page-slices.ts'
import type { ContextOf } from './procedure-context.ts'
import { responseEnd } from './response-end.ts'
import { sendRows } from './send-rows.ts'
import { streamLines } from './streamed-lines.ts'
import { uploadWhileAdmitted, whileAdmitted } from './while-admitted.ts'

type Operation = { procedure: AnyTRPCProcedure; name: string; integers: string[] } & Pick<
  Meta,
  (typeof admissionFields)[number] | 'stepUp' | 'sheet' | 'lines' | 'upload'
>
type Called = KoaContext & { params: Record<string, string> }
/**
 * The operations of the REST API. Maps each path, in the syntax of @koa/router, to its methods, and each of
 * these methods to an operation.
 */
export type Operations = Map<string, Map<string, Operation>>

export function operationsOf(router: typeof appRouter): Operations {
  const operations: Operations = new Map()
  for (const [name, procedure] of proceduresOf(router)) {
    const meta = procedure._def.meta ?? {}
    const { openapi, stepUp, sheet, lines, upload } = meta
    // A procedure without a method and path is available only over tRPC.
    if (!openapi) continue
    const path = openapi.path.replace(/\{(\w+)\}/g, ':$1')
    const methods = operations.get(path) ?? new Map<string, Operation>()
    methods.set(openapi.method, {
      procedure,
      name,
      integers: integersOf(procedure),
      ...Object.fromEntries(admissionFields.map(field => [field, meta[field]])),
      ...(stepUp && { stepUp }),
      ...(sheet && { sheet }),
      ...(lines && { lines }),
      ...(upload && { upload }),
    })
    operations.set(path, methods)
  }
  return operations
}

/**
 * Returns the names of the query parameters of a procedure that are integers. These parameters must be
 * converted from text.
 */
function integersOf(procedure: AnyTRPCProcedure): string[] {
  const shapes = (procedure._def.inputs as unknown[]).flatMap(each =>
    each instanceof z.ZodObject ? each.shape : [],
  )
  return shapes.flatMap(shape => Object.keys(shape).filter(name => isQueryInteger(shape[name])))
}

export function mountRest(routerOf: (path: string) => Router, contextOf: ContextOf, admit: Admission): void {
  for (const [path, methods] of operationsOf(appRouter)) {
    const allow = [...methods.keys()].flatMap(each => (each === 'GET' ? ['GET', 'HEAD'] : each)).join(', ')
    routerOf(path).all(path, async ctx => {
      // A HEAD request is handled like a GET request. Koa then sends only the headers, including the
      // Content-Length.
      const operation = methods.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)
      if (!operation) {
        ctx.set('Allow', allow)
        throw fault('method_not_allowed', { method: ctx.method, path: ctx.path, allow })
      }
      await handleOperation(contextOf, admit, ctx, operation)
    })
  }
}

async function handleOperation(
  contextOf: ContextOf,
  admit: Admission,
  ctx: Called,
  operation: Operation,
): Promise<void> {
  const { access, upload, integers } = operation
  const context = await contextOf(ctx, (name, value) => ctx.set(name, value), 1)
  const withCurrentCaller = currentCaller(context)
  // Before the body is read, checks whether the caller may call the operation. Otherwise, an unauthorized
  // request could make the server wait for its body.
  if (access !== 'public') admitted(operation, context)
  if (operation.stepUp) await requireRecentProof(context)
  const owner = admit.ownerOf(context)
  const hasBody = !upload && !['GET', 'HEAD', 'DELETE'].includes(ctx.method)
  const input = hasBody ? await readJson(ctx.req, owner) : queryOf(ctx, integers)
  const run = async () => runOperation(ctx, operation, await withCurrentCaller(), input)
  await inSlot(owner, hasBody ? bytesOf(ctx.req) : 0, run, responseEnd(ctx.res).ended)
}

async function runOperation(
  ctx: Called,
  operation: Operation,
  context: Context,
  input: Record<string, unknown>,
): Promise<void> {
  const { procedure, name, sheet, lines, upload } = operation
  const lineWriter = lines && streamLines(ctx, lines.csv)
  const access =
    lineWriter?.isStreamed && lines?.permission ? { ...operation, permission: lines.permission } : operation
  if (access !== operation) admitted(access, context)
  const run = () =>
    callProcedure(procedure, {
      path: name,
      type: procedure._def.type,
      getRawInput: async () => ({ ...input, ...ctx.params }),
      ctx: {
        ...context,
        device: deviceCookie(ctx, context.app),
        ...(upload && { upload: uploadWhileAdmitted(readUpload(ctx.req, upload), operation, context) }),
        ...(lineWriter && {
          writeLine: whileAdmitted(lineWriter.write, access, context),
          isStreamed: lineWriter.isStreamed,
        }),
      },
      signal: undefined,
      batchIndex: 0,
    })
  if (lineWriter) {
    await run().then(lineWriter.end, lineWriter.fail)
    return
  }
  const data = await run()
  if (sheet) {
    const { rows = (data as { items: Record<string, unknown>[] }).items, ...form } = sheet(input, data)
    if (sendRows(ctx, form, rows)) return
  }
  if (isPage(data)) await sendInSlices(ctx, data)
  else sendData(ctx, data)
}

/**
 * Converts the query string of a request to the input of a procedure. The value of a repeated parameter becomes an
 * array, which no procedure accepts, so validation fails with an error that names the parameter. An integer may contain
 * only digits, because JavaScript would also read `0x10`, `1e1` and ` 5` as numbers.
 */
function queryOf(ctx: KoaContext, integers: string[]): Record<string, unknown> {
  if (ctx.querystring === '') return {}
  const query: Record<string, unknown> = { ...ctx.query }
  for (const name of integers) {
    const text = query[name]
    if (typeof text === 'string' && !/^(0|[1-9]\d{0,14})$/.test(text)) query[name] = Number.NaN
  }
  return query
}
