import Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import { readBody } from '../body.ts'
import { meetOutcome } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { sendReport } from '../report.ts'
import { answerCreate, type Creation, parseJson } from './create.ts'
import { type Answer, refusal } from './errors.ts'
import { chargeMessage, customerOfCharge, readCharge } from './ewallet.ts'
import { callerOf } from './merchant.ts'
import { findOwn, hasPayment, ownOrders, type Product, type XenditOrder } from './order.ts'
import { customerOfV2, readV2, requestMessageV2 } from './payment-request-v2.ts'
import { customerOfV3, paymentMessageV3, readV3, requestMessageV3 } from './payment-request-v3.ts'
import { customerOfQrCode, qrCodeMessage, qrPaymentMessage, readQrCode } from './qr-code.ts'
import { refundRoutes } from './refund-routes.ts'
import { xenditRules } from './rules.ts'
import { invalid, read, rupiah } from './schema.ts'
import { listTransactions } from './transactions.ts'
import {
  customerOfVirtualAccount,
  readVirtualAccount,
  readVirtualAccountChange,
  virtualAccountMessage,
  virtualAccountStatus,
} from './virtual-account.ts'

const API_VERSION = '2024-11-11'
const QR_CODES: readonly Product[] = ['qr_code', 'qr_code_2022']

export function xenditRoutes(sandbox: Sandbox): Router {
  const router = new Router()
  paymentRequestsV3(sandbox, router)
  paymentRequestsV2(sandbox, router)
  virtualAccounts(sandbox, router)
  qrCodes(sandbox, router)
  eWallets(sandbox, router)
  refundRoutes(sandbox, router)
  router.get('/transactions', ctx => {
    const answer = listTransactions(sandbox, ctx)
    if ('refused' in answer) return say(ctx, answer.refused)
    ctx.body = answer.listed
  })
  router.all('/{*rest}', ctx => say(ctx, refusal('DATA_NOT_FOUND', 'The requested resource was not found.')))
  return router
}

function paymentRequestsV3(sandbox: Sandbox, router: Router): void {
  const requests = '/v3/payment_requests'
  const creation: Creation = {
    // As in Xendit's schema, the api-version header is optional. A request for another version is rejected,
    // because another version would select another API.
    read: (body, ctx) => {
      const version = ctx.get('api-version')
      return version && version !== API_VERSION ? invalid(['api-version'], 'is not supported') : readV3(body)
    },
    customerOf: customerOfV3,
    reference: 'reference_id',
    accepted: order => ({ status: 201, body: requestMessageV3(order, sandbox.publicUrl) }),
  }
  router.post(requests, ctx => answerCreate(sandbox, ctx, creation))

  router.get(`${requests}/:id`, ctx => {
    const found = find(sandbox, ctx, ['v3'])
    if ('refused' in found) return say(ctx, found.refused)
    ctx.body = requestMessageV3(found.order, sandbox.publicUrl)
  })

  router.get('/v3/payments/:id', ctx => {
    const id = ctx.params.id ?? ''
    const found = find(sandbox, ctx, ['v3'], id.startsWith('py-') ? id.replace('py-', 'pr-') : '')
    if ('refused' in found) return say(ctx, found.refused)
    if (!hasPayment(found.order)) return say(ctx, refusal('DATA_NOT_FOUND'))
    ctx.body = paymentMessageV3(found.order)
  })

  router.post(`${requests}/:id/cancel`, ctx => {
    const found = find(sandbox, ctx, ['v3'])
    if ('refused' in found) return say(ctx, found.refused)
    const { order } = found
    if (hasPayment(order)) return say(ctx, refusal('INELIGIBLE_TRANSACTION_STATUS'))
    if (order.status !== 'pending') return say(ctx, refusal('INACTIVE_PAYMENT_REQUEST'))
    const cancelled: XenditOrder = { ...order, status: 'cancelled' }
    // A cancellation sends no webhook: docs.xendit.co payments-api-webhooks lists no event for it.
    sandbox.store.recordOrder(cancelled)
    ctx.body = requestMessageV3(cancelled, sandbox.publicUrl)
  })

  router.post(`${requests}/:id/simulate`, ctx => simulatePayment(sandbox, ctx, ['v3']))
}

function paymentRequestsV2(sandbox: Sandbox, router: Router): void {
  const creation: Creation = {
    read: readV2,
    rules: xenditRules.paymentRequest,
    customerOf: customerOfV2,
    reference: 'reference_id',
    replays: true,
    accepted: order => ({ status: 201, body: requestMessageV2(order, sandbox.publicUrl) }),
  }
  router.post('/payment_requests', ctx => answerCreate(sandbox, ctx, creation))

  router.get('/payment_requests', ctx => {
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    const query = new URLSearchParams(ctx.querystring)
    const references = query.getAll('reference_id')
    const limit = Math.min(Math.max(Number(query.get('limit')) || 10, 1), 50)
    const found: XenditOrder[] = []
    for (const reference of references.length > 0 ? references : [undefined]) {
      for (const order of ownOrders(sandbox, caller.key, ['v2', 'v3'], reference)) {
        if (query.has('id') && !query.getAll('id').includes(order.id)) continue
        if (found.push(order) > limit) break
      }
    }
    ctx.body = {
      data: found.slice(0, limit).map(order => requestMessageV2(order, sandbox.publicUrl)),
      has_more: found.length > limit,
    }
  })

  router.get('/payment_requests/:id', ctx => {
    const found = find(sandbox, ctx, ['v2', 'v3'])
    if ('refused' in found) return say(ctx, found.refused)
    ctx.body = requestMessageV2(found.order, sandbox.publicUrl)
  })

  router.post('/payment_requests/:id/payments/simulate', ctx => simulatePayment(sandbox, ctx, ['v2']))
}

function virtualAccounts(sandbox: Sandbox, router: Router): void {
  const accounts = '/callback_virtual_accounts'
  const notFound = refusal('CALLBACK_VIRTUAL_ACCOUNT_NOT_FOUND_ERROR')
  const creation: Creation = {
    read: readVirtualAccount,
    customerOf: customerOfVirtualAccount,
    reference: 'external_id',
    accepted: order => ({ status: 200, body: virtualAccountMessage(order, 'PENDING') }),
  }
  router.post(accounts, ctx => answerCreate(sandbox, ctx, creation))

  router.get(`${accounts}/:id`, ctx => {
    const found = find(sandbox, ctx, ['virtual_account'], ctx.params.id, notFound)
    if ('refused' in found) return say(ctx, found.refused)
    ctx.body = virtualAccountMessage(found.order, virtualAccountStatus(found.order))
  })

  router.patch(`${accounts}/:id`, async ctx => {
    const found = find(sandbox, ctx, ['virtual_account'], ctx.params.id, notFound)
    if ('refused' in found) return say(ctx, found.refused)
    const change = readVirtualAccountChange(parseJson(await readBody(ctx.req)))
    if ('refused' in change) return say(ctx, change.refused)
    const { recorded } = meetOutcome(found.order, 'expired', undefined, Date.now())
    sandbox.store.recordOrder(recorded)
    const ended: XenditOrder = { ...found.order, status: recorded.status, expiresAt: change.expiresAt }
    ctx.body = virtualAccountMessage(ended, virtualAccountStatus(ended))
  })
}

function qrCodes(sandbox: Sandbox, router: Router): void {
  const creation: Creation = {
    read: (body, ctx) => readQrCode(body, ctx.get('api-version') || undefined),
    customerOf: customerOfQrCode,
    reference: 'external_id',
    duplicate: id => `Duplicated external_id ${id}, external_id must be unique per request.`,
    accepted: order => ({
      status: order.detail.product === 'qr_code' ? 200 : 201,
      body: qrCodeMessage(order),
    }),
  }
  router.post('/qr_codes', ctx => answerCreate(sandbox, ctx, creation))

  router.get('/qr_codes/payments', ctx => {
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    const reference = new URLSearchParams(ctx.querystring).get('external_id') ?? ''
    const orders = ownOrders(sandbox, caller.key, ['qr_code'], reference)
    ctx.body = [...orders].filter(order => order.status === 'paid').map(qrPaymentMessage)
  })

  // The path contains either the merchant's reference or Xendit's ID for the QR code.
  router.get('/qr_codes/:id', ctx => {
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    const id = ctx.params.id ?? ''
    const order =
      findOwn(sandbox, caller.key, id, QR_CODES) ??
      ownOrders(sandbox, caller.key, ['qr_code'], id).next().value
    if (!order) return say(ctx, refusal('DATA_NOT_FOUND', 'QR code not found'))
    ctx.body = qrCodeMessage(order)
  })
}

function eWallets(sandbox: Sandbox, router: Router): void {
  const creation: Creation = {
    read: readCharge,
    customerOf: customerOfCharge,
    reference: 'reference_id',
    duplicate: () => 'There is already a charge request with the same reference_id.',
    accepted: order => ({ status: 202, body: chargeMessage(order, sandbox.publicUrl) }),
  }
  router.post('/ewallets/charges', ctx => answerCreate(sandbox, ctx, creation))

  router.get('/ewallets/charges/:id', ctx => {
    const notFound = refusal('DATA_NOT_FOUND', 'Charge request not found')
    const found = find(sandbox, ctx, ['ewallet'], ctx.params.id, notFound)
    if ('refused' in found) return say(ctx, found.refused)
    ctx.body = chargeMessage(found.order, sandbox.publicUrl)
  })
}

const simulated = z.object({ amount: rupiah.min(1).optional() })

/**
 * Simulates that the payer pays a pending order, as in Xendit's test mode. The response always has the status PENDING,
 * even though the order is then paid.
 */
async function simulatePayment(sandbox: Sandbox, ctx: Context, products: readonly Product[]): Promise<void> {
  const text = await readBody(ctx.req)
  const found = find(sandbox, ctx, products)
  if ('refused' in found) return say(ctx, found.refused)
  // In Xendit's API v2, clients simulate a payment by sending a request without a body.
  const wanted = read(simulated, text === '' ? {} : parseJson(text), 'path')
  if ('refused' in wanted) return say(ctx, wanted.refused)
  if (found.order.status !== 'pending') return say(ctx, refusal('INACTIVE_PAYMENT_REQUEST'))
  const { amount } = wanted.value
  const cents = amount === undefined ? undefined : amount * 100
  const { told, recorded } = meetOutcome(found.order, 'paid', cents, Date.now())
  sandbox.store.recordOrder(recorded)
  sendReport(sandbox, told)
  ctx.body = {
    status: 'PENDING',
    message: `A simulated payment for ${found.order.id} is being processed. You will be informed of the result via a webhook.`,
  }
}

function find(
  sandbox: Sandbox,
  ctx: Context,
  products: readonly Product[],
  id: string | undefined = ctx.params.id,
  notFound: Answer = refusal('DATA_NOT_FOUND'),
): { order: XenditOrder } | { refused: Answer } {
  const caller = callerOf(ctx.headers.authorization)
  if ('refused' in caller) return caller
  const order = findOwn(sandbox, caller.key, id, products)
  return order ? { order } : { refused: notFound }
}

function say(ctx: Context, answer: Answer): void {
  ctx.status = answer.status
  ctx.body = answer.body
}
