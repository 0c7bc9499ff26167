import Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import { parseJson, readBody } from './body.ts'
import { calm } from './chaos.ts'
import type { Order } from './order.ts'
import type { Sandbox } from './provider.ts'
import { recordRoutes } from './records.ts'
import { registerMerchant, registration } from './register-merchant.ts'
import { applyOutcome, type Simulation, simulateOutcome, simulation } from './simulate.ts'

const probability = z.number().min(0).max(1).default(0)
// The schema of these settings is strict, so a request with a misspelled setting is rejected. Otherwise, the
// misspelled setting would be ignored.
const chaos = z.strictObject({
  seed: z.union([z.string(), z.int()]).transform(String).default(calm.seed),
  lose: probability,
  repeat: probability,
  delay_ms: z.int().min(0).default(0),
  reorder: probability,
  forge: probability,
  time_out_creates: probability,
})

/** Routes that tests use to control the sandbox and register merchants. A real provider has no such routes. */
export function controlRoutes(sandbox: Sandbox): Router {
  const router = new Router()

  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })

  router.post('/merchants', async ctx => {
    const asked = await readAs(registration, ctx)
    if (!asked) return
    const registered = registerMerchant(sandbox, asked)
    if ('field' in registered) return refuse(ctx, 400, registered.field, registered.message)
    ctx.body = { credentials: registered.issued }
  })

  router.post('/simulate', async ctx => {
    const asked = await readSimulation(sandbox, ctx)
    if (!asked) return
    const done = await simulateOutcome(sandbox, asked.order, asked.wanted)
    if ('field' in done) refuse(ctx, 400, done.field, done.message)
    else ctx.body = { callbacks: done }
  })

  router.post('/simulate/silently', async ctx => {
    const asked = await readSimulation(sandbox, ctx)
    if (!asked) return
    const fault = applyOutcome(sandbox, asked.order, asked.wanted)
    if (fault) refuse(ctx, 400, fault.field, fault.message)
    else ctx.body = { callbacks: [] }
  })

  router.post('/chaos', async ctx => {
    const asked = await readAs(chaos, ctx)
    if (!asked) return
    const { delay_ms: delayMs, time_out_creates: timeOutCreates, ...rest } = asked
    sandbox.chaos = { ...rest, delayMs, timeOutCreates }
    ctx.body = asked
  })

  router.use(recordRoutes(sandbox).routes())
  return router
}

async function readSimulation(
  sandbox: Sandbox,
  ctx: Context,
): Promise<{ order: Order; wanted: Simulation } | undefined> {
  const asked = await readAs(simulation, ctx)
  if (!asked) return undefined
  const { payment_code: code, ...wanted } = asked
  const order = sandbox.store.findByCode(code)
  if (!order) {
    refuse(ctx, 404, 'payment_code', `no order has the payment code ${code}`)
    return undefined
  }
  return { order, wanted }
}

/** Returns the validated body. If it is invalid, sets the error response and returns undefined. */
async function readAs<T>(schema: z.ZodType<T>, ctx: Context): Promise<T | undefined> {
  const parsed = schema.safeParse(parseJson(await readBody(ctx.req)))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = unknownKey ?? (issue?.path.join('.') || 'body')
  refuse(ctx, 400, field, `${field}: ${issue?.message ?? 'invalid'}`)
  return undefined
}

function refuse(ctx: Context, status: 400 | 404, field: string, message: string): void {
  ctx.status = status
  ctx.body = { error: status === 404 ? 'unknown' : 'invalid', field, message }
}
