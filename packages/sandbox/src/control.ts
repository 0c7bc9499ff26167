import Router from '@koa/router'
import type { Context } from 'koa'
import { readBody } from './body.ts'
import type { Order } from './order.ts'
import type { Sandbox } from './provider.ts'
import { applyOutcome, type Simulation, simulateOutcome, simulation } from './simulate.ts'

/** What a test drives the sandbox with; no provider has any of this. */
export function controlRoutes(sandbox: Sandbox): Router {
  const router = new Router()

  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })

  router.post('/simulate', async ctx => {
    const asked = await readSimulation(sandbox, ctx)
    if (asked) ctx.body = { callbacks: await simulateOutcome(sandbox, asked.order, asked.wanted) }
  })

  router.post('/simulate/silently', async ctx => {
    const asked = await readSimulation(sandbox, ctx)
    if (!asked) return
    applyOutcome(sandbox, asked.order, asked.wanted)
    ctx.body = { callbacks: [] }
  })

  router.get('/requests', ctx => {
    const code = ctx.query.payment_code
    const entries = sandbox.store.requests.list(typeof code === 'string' ? code : undefined)
    ctx.body = {
      count: entries.length,
      requests: entries.map(entry => ({
        at: new Date(entry.at).toISOString(),
        provider: entry.provider,
        method: entry.method,
        path: entry.path,
        reference: entry.reference,
        idempotency_key: entry.idempotencyKey,
        steering: entry.steering,
        answered_status: entry.answeredStatus,
        answered_code: entry.answeredCode,
      })),
    }
  })

  return router
}

async function readSimulation(
  sandbox: Sandbox,
  ctx: Context,
): Promise<{ order: Order; wanted: Simulation } | undefined> {
  const parsed = simulation.safeParse(parseJson(await readBody(ctx.req)))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue?.path.join('.') || 'body'
    ctx.status = 400
    ctx.body = { error: 'invalid', field, message: `${field}: ${issue?.message ?? 'invalid'}` }
    return undefined
  }
  const { payment_code: code, ...wanted } = parsed.data
  const order = sandbox.store.findByCode(code)
  if (!order) {
    ctx.status = 404
    ctx.body = { error: 'unknown', field: 'payment_code', message: `no order for payment code ${code}` }
    return undefined
  }
  return { order, wanted }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
