import Router from '@koa/router'
import type { Context } from 'koa'
import QRCode from 'qrcode'
import type { Merchant } from '../merchants.ts'
import type { Sandbox } from '../provider.ts'
import { type Channel, channels, feeOf, findChannel } from './channels.ts'
import { createTransaction } from './create.ts'
import { type Answer, invalidApiKey, refusal } from './errors.ts'
import { merchantOf } from './merchant.ts'
import { detailMessage, listedMessage, qrString } from './messages.ts'
import { statusOf, type TripayOrder, tripayOrder } from './order.ts'

const MOST_PER_PAGE = 50
const SCANNED_AT_A_TIME = 500

export function tripayRoutes(sandbox: Sandbox): Router {
  const router = new Router()

  router.post('/transaction/create', ctx => createTransaction(sandbox, ctx))

  router.get('/transaction/detail', ctx => {
    const found = findTransaction(sandbox, ctx)
    if ('refused' in found) return say(ctx, found.refused)
    ctx.body = { success: true, message: '', data: detailMessage(found.order, sandbox.publicUrl) }
  })

  router.get('/transaction/check-status', ctx => {
    const found = findTransaction(sandbox, ctx)
    if ('refused' in found) return say(ctx, found.refused)
    ctx.body = { success: true, message: `Status transaksi saat ini ${statusOf(found.order)}` }
  })

  router.get('/merchant/transactions', ctx => {
    const merchant = merchantOf(sandbox, ctx.headers.authorization)
    if (!merchant) return say(ctx, invalidApiKey)
    ctx.body = listTransactions(sandbox, merchant, new URLSearchParams(ctx.querystring))
  })

  router.get('/merchant/payment-channel', ctx => {
    if (!merchantOf(sandbox, ctx.headers.authorization)) return say(ctx, invalidApiKey)
    const asked = queryOf(ctx, 'code')
    const wanted = channels.filter(channel => asked === undefined || channel.code === asked)
    ctx.body = { success: true, message: 'Success', data: wanted.map(channelMessage) }
  })

  router.get('/merchant/fee-calculator', ctx => {
    if (!merchantOf(sandbox, ctx.headers.authorization)) return say(ctx, invalidApiKey)
    const amount = Number(queryOf(ctx, 'amount'))
    if (!Number.isSafeInteger(amount) || amount < 1) return say(ctx, refusal('The amount field is required.'))
    const code = queryOf(ctx, 'code')
    const wanted = code === undefined ? channels : [findChannel(code)].filter(one => one !== undefined)
    ctx.body = { success: true, message: '', data: wanted.map(channel => feeMessage(channel, amount)) }
  })

  router.get('/qr/:reference', async ctx => {
    const order = sandbox.store.findById(ctx.params.reference ?? '')
    const text = order?.provider === 'tripay' ? qrString(tripayOrder(order)) : undefined
    if (!text) return say(ctx, refusal('Transaction not found', 404))
    ctx.type = 'png'
    ctx.body = await QRCode.toBuffer(text, { width: 480, margin: 2 })
  })

  router.all('/{*rest}', ctx => say(ctx, refusal('Not Found', 404)))
  return router
}

/**
 * Finds a transaction of the calling merchant. A transaction of another merchant gets the same error as a
 * transaction that does not exist.
 */
function findTransaction(sandbox: Sandbox, ctx: Context): { order: TripayOrder } | { refused: Answer } {
  const merchant = merchantOf(sandbox, ctx.headers.authorization)
  if (!merchant) return { refused: invalidApiKey }
  const order = sandbox.store.findById(queryOf(ctx, 'reference') ?? '')
  if (order?.provider !== 'tripay' || order.merchant !== merchant.id) {
    return { refused: refusal('Transaction not found', 404) }
  }
  return { order: tripayOrder(order) }
}

function listTransactions(sandbox: Sandbox, merchant: Merchant, query: URLSearchParams) {
  const page = atLeastOne(query.get('page'), 1)
  const perPage = Math.min(atLeastOne(query.get('per_page'), 25), MOST_PER_PAGE)
  const sort = query.get('sort') === 'asc' ? 'asc' : 'desc'
  const found = [...ownTransactions(sandbox, merchant, query)]
  if (sort === 'asc') found.reverse()
  const from = (page - 1) * perPage
  const shown = found.slice(from, from + perPage)
  const lastPage = Math.max(1, Math.ceil(found.length / perPage))
  return {
    success: true,
    message: 'Success',
    data: shown.map(order => listedMessage(order, sandbox.publicUrl)),
    pagination: {
      sort,
      offset: { from: shown.length > 0 ? from + 1 : 0, to: from + shown.length },
      current_page: page,
      previous_page: page > 1 ? page - 1 : null,
      next_page: page < lastPage ? page + 1 : null,
      last_page: lastPage,
      per_page: perPage,
      total_records: found.length,
    },
  }
}

/**
 * Yields the merchant's transactions, newest first. The database also finds references that only start with the search
 * text, so this function compares each whole reference with it.
 */
function* ownTransactions(
  sandbox: Sandbox,
  merchant: Merchant,
  query: URLSearchParams,
): Generator<TripayOrder> {
  const search = query.get('merchant_ref') ?? query.get('reference')
  let before: number | undefined
  for (;;) {
    const page = sandbox.store.listOrders({
      limit: SCANNED_AT_A_TIME,
      ...(search && { search }),
      ...(before !== undefined && { before }),
    })
    for (const order of page) {
      if (order.provider !== 'tripay' || order.merchant !== merchant.id) continue
      const own = tripayOrder(order)
      if (isWanted(own, query)) yield own
    }
    before = page.at(-1)?.seq
    if (before === undefined || page.length < SCANNED_AT_A_TIME) return
  }
}

function isWanted(order: TripayOrder, query: URLSearchParams): boolean {
  const filters: [string, string][] = [
    ['reference', order.id],
    ['merchant_ref', order.reference],
    ['method', order.detail.channel],
    ['status', statusOf(order)],
  ]
  return filters.every(([name, value]) => !query.get(name) || query.get(name) === value)
}

function channelMessage(channel: Channel): Record<string, unknown> {
  const { flat, basisPoints } = channel.fee
  const noFee = { flat: 0, percent: 0 }
  const fee = { flat, percent: basisPoints / 100 }
  return {
    group: channel.group,
    code: channel.code,
    name: channel.name,
    type: channel.type,
    fee_merchant: channel.feeOf === 'merchant' ? fee : noFee,
    fee_customer: channel.feeOf === 'customer' ? fee : noFee,
    total_fee: { flat, percent: (basisPoints / 100).toFixed(2) },
    minimum_fee: feeOf(channel, channel.minRupiah),
    maximum_fee: feeOf(channel, channel.maxRupiah),
    minimum_amount: channel.minRupiah,
    maximum_amount: channel.maxRupiah,
    icon_url: null,
    active: true,
  }
}

function feeMessage(channel: Channel, amount: number): Record<string, unknown> {
  const fee = feeOf(channel, amount)
  const { flat, basisPoints } = channel.fee
  return {
    code: channel.code,
    name: channel.name,
    fee: { flat, percent: (basisPoints / 100).toFixed(2), min: null, max: null },
    total_fee: channel.feeOf === 'customer' ? { merchant: 0, customer: fee } : { merchant: fee, customer: 0 },
  }
}

function queryOf(ctx: Context, name: string): string | undefined {
  return new URLSearchParams(ctx.querystring).get(name) ?? undefined
}

function atLeastOne(text: string | null, otherwise: number): number {
  const value = Number(text)
  return Number.isSafeInteger(value) && value >= 1 ? value : otherwise
}

function say(ctx: Context, answer: Answer): void {
  ctx.status = answer.status
  ctx.body = answer.body
}
