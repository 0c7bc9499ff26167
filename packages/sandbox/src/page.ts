import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import QRCode from 'qrcode'
import { z } from 'zod'
import { readBody } from './body.ts'
import { html } from './html.ts'
import type { Order } from './order.ts'
import { frame } from './page-frame.ts'
import { listPage } from './page-list.ts'
import { orderPage } from './page-order.ts'
import { payerPage } from './page-payer.ts'
import type { Sandbox } from './provider.ts'
import { providerOf } from './report.ts'
import { centsTyped } from './rupiah.ts'
import { simulatedOutcome, simulateOutcome } from './simulate.ts'

const ORDERS_PER_PAGE = 50
const ATTEMPTS_SHOWN = 50
// After a click, the page waits this many milliseconds for the merchant's response to the notification. A later
// response is shown when it arrives.
const CLICK_WAIT_MS = 1000

const assets: Record<string, { type: string; content: Buffer }> = {
  'page.css': { type: 'text/css; charset=utf-8', content: readAsset('page.css') },
  'page.js': { type: 'text/javascript; charset=utf-8', content: readAsset('page.js') },
  'icon.svg': { type: 'image/svg+xml', content: readAsset('icon.svg') },
}

const seq = z.coerce.number().int().positive().optional().catch(undefined)
const listQuery = z.object({ q: z.string().trim().max(100).catch(''), before: seq, after: seq })
const click = z.object({ outcome: simulatedOutcome, amount: z.string().optional() })

export function pageRoutes(sandbox: Sandbox): Router {
  const router = new Router()
  router.use(guarded)

  router.get('/', ctx => showList(sandbox, ctx))

  router.get('/orders/:id', ctx => {
    const order = orderIn(sandbox, ctx)
    if (order) ctx.body = orderPage(orderView(sandbox, order))
  })

  // Merchants' pages link to an order by its payment code, because they do not know the order's ID.
  router.get('/payments/:code', ctx => {
    const order = sandbox.store.findByCode(ctx.params.code ?? '')
    if (order) seeOther(ctx, `/orders/${order.id}`)
    else notFound(ctx)
  })

  router.get('/orders/:id/qr.png', async ctx => {
    const order = orderIn(sandbox, ctx)
    if (!order) return
    const content = providerOf(sandbox, order).guide(order, sandbox.publicUrl).qr
    if (content === undefined) return notFound(ctx)
    ctx.type = 'png'
    ctx.body = await QRCode.toBuffer(content, { width: 480, margin: 2 })
  })

  router.post('/orders/:id/simulate', async ctx => {
    const order = orderIn(sandbox, ctx)
    if (order && (await clicked(sandbox, ctx, order))) seeOther(ctx, `/orders/${order.id}`)
  })

  router.get('/pay/:id', ctx => {
    const order = orderIn(sandbox, ctx)
    if (!order) return
    const provider = providerOf(sandbox, order)
    ctx.body = payerPage(order, provider.name, provider.guide(order, sandbox.publicUrl))
  })

  router.post('/pay/:id', async ctx => {
    const order = orderIn(sandbox, ctx)
    // Only a pending order can be paid here, so a click on an outdated page has no effect.
    if (order && (order.status !== 'pending' || (await clicked(sandbox, ctx, order)))) {
      seeOther(ctx, `/pay/${order.id}`)
    }
  })

  router.get('/assets/:name', ctx => {
    const name = ctx.params.name ?? ''
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined
    if (!asset) return notFound(ctx)
    ctx.type = asset.type
    ctx.body = asset.content
  })

  return router
}

const guarded: Middleware = async (ctx, next) => {
  ctx.set({
    'content-security-policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-cache',
  })
  // Prevents other websites from paying orders by sending a form to a developer's machine.
  const site = ctx.get('sec-fetch-site')
  if (ctx.method === 'POST' && site !== '' && site !== 'same-origin' && site !== 'none') {
    ctx.status = 403
    ctx.body = 'Forms from other websites are rejected.'
    return
  }
  await next()
}

function showList(sandbox: Sandbox, ctx: Context): void {
  const { q, before, after } = listQuery.parse(ctx.query)
  const page = sandbox.store.listOrders({
    ...(q && { search: q }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    limit: ORDERS_PER_PAGE + 1,
  })
  // The query reads one extra order to find out whether there is another page. The extra order is the first or the
  // last one, depending on the paging direction.
  const more = page.length > ORDERS_PER_PAGE
  const forward = after !== undefined
  const orders = more ? (forward ? page.slice(1) : page.slice(0, ORDERS_PER_PAGE)) : page
  const [first, last] = [orders[0], orders.at(-1)]
  const hasNewer = forward ? more : before !== undefined
  const hasOlder = forward || more
  ctx.body = listPage({
    orders,
    total: sandbox.store.countOrders(),
    search: q,
    ...(hasNewer && first && { newerThan: first.seq }),
    ...(hasOlder && last && { olderThan: last.seq }),
    nameOf: order => providerOf(sandbox, order).name,
  })
}

function orderView(sandbox: Sandbox, order: Order) {
  const provider = providerOf(sandbox, order)
  const { notifications, requests } = sandbox.store
  return {
    order,
    providerName: provider.name,
    guide: provider.guide(order, sandbox.publicUrl),
    attempts: notifications.listAttempts(order.seq, ATTEMPTS_SHOWN),
    nextRetryAt: notifications.nextRetryAt(order.seq),
    requests: requests.list(order.reference),
  }
}

async function clicked(sandbox: Sandbox, ctx: Context, order: Order): Promise<boolean> {
  const form = click.safeParse(Object.fromEntries(new URLSearchParams(await readBody(ctx.req))))
  const typed = form.data?.amount
  const amount = typed === undefined ? undefined : centsTyped(typed)
  if (!form.success || (typed !== undefined && amount === undefined)) {
    ctx.status = 400
    ctx.body = message(
      'Invalid amount',
      'Enter an amount in rupiah with up to two decimals, such as 44000 or 44000.50.',
    )
    return false
  }
  const sent = simulateOutcome(sandbox, order, {
    outcome: form.data.outcome,
    ...(amount !== undefined && { amount }),
  })
  const done = await Promise.race([sent, sleep(CLICK_WAIT_MS, undefined, { ref: false })])
  if (done === undefined || !('field' in done)) return true
  ctx.status = 400
  ctx.body = message(
    'This order cannot be refunded or charged back',
    'Only a paid order can be refunded or charged back, up to the amount the provider still holds.',
  )
  return false
}

function orderIn(sandbox: Sandbox, ctx: Context & { params: Record<string, string> }): Order | undefined {
  const order = sandbox.store.findById(ctx.params.id ?? '')
  if (!order) notFound(ctx)
  return order
}

function notFound(ctx: Context): void {
  ctx.status = 404
  ctx.body = message(
    'Page not found',
    'The sandbox has no payment with this ID or code. It may have lost the payment: without a data file, all payments are deleted when the sandbox stops.',
  )
}

function message(title: string, text: string): string {
  return frame(
    title,
    html`<div class="empty"><h1>${title}</h1><p>${text}</p><p><a href="/">All payments</a></p></div>`,
  )
}

function seeOther(ctx: Context, url: string): void {
  ctx.redirect(url)
  ctx.status = 303
}

function readAsset(name: string): Buffer {
  return readFileSync(new URL(`../assets/${name}`, import.meta.url))
}
