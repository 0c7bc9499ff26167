// The REST surface: method and path to procedure, by the procedures' OpenAPI metadata. Input is the JSON
// body as it came, or the query, with the path's parameters; nothing is coerced on the way.

import type Router from '@koa/router'
import { callTRPCProcedure } from '@trpc/server'
import type { Context as KoaContext } from 'koa'
import { identify } from '../api/context.ts'
import { appRouter, proceduresOf } from '../api/router.ts'
import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import { readJson } from './body.ts'
import { succeed } from './envelope.ts'

type Operation = { procedure: string; type: 'query' | 'mutation' }
/** Path as @koa/router writes it → method → operation. */
export type Operations = Map<string, Map<string, Operation>>

export function operationsOf(router: typeof appRouter): Operations {
  const operations: Operations = new Map()
  for (const [procedure, { _def }] of proceduresOf(router)) {
    const openapi = _def.meta?.openapi
    if (!openapi) throw new Error(`procedure ${procedure} has no method and path`)
    const path = openapi.path.replace(/\{(\w+)\}/g, ':$1')
    const methods = operations.get(path) ?? new Map<string, Operation>()
    methods.set(openapi.method, { procedure, type: _def.type as Operation['type'] })
    operations.set(path, methods)
  }
  return operations
}

export function mountRest(koaRouter: Router, app: App): void {
  for (const [path, methods] of operationsOf(appRouter)) {
    const allow = [...methods.keys()].join(', ')
    koaRouter.all(path, async ctx => {
      const operation = methods.get(ctx.method)
      if (!operation) {
        ctx.set('Allow', allow)
        throw new GatewayError('METHOD_NOT_ALLOWED', `${ctx.method} ${ctx.path}; it takes ${allow}`)
      }
      await call(app, ctx, operation)
    })
  }
}

async function call(
  app: App,
  ctx: KoaContext & { params: Record<string, string> },
  { procedure, type }: Operation,
): Promise<void> {
  const input = ctx.method === 'GET' || ctx.method === 'DELETE' ? queryOf(ctx) : await readJson(ctx.req)
  const data = await callTRPCProcedure({
    router: appRouter,
    path: procedure,
    type,
    getRawInput: async () => ({ ...input, ...ctx.params }),
    ctx: {
      app,
      caller: await identify(app, ctx.get('authorization')),
      idempotencyKey: ctx.req.headers['x-idempotency-key']?.toString(),
      setHeader: (name: string, value: string) => ctx.set(name, value),
    },
    signal: undefined,
    batchIndex: 0,
  })
  succeed(ctx, data)
}

/** A parameter given twice is a list, which no procedure takes, so it is refused by its name. */
function queryOf(ctx: KoaContext): Record<string, unknown> {
  return ctx.querystring === '' ? {} : { ...ctx.query }
}
