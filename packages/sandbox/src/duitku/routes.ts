import Router from '@koa/router'
import type { Context } from 'koa'
import { readBody } from '../body.ts'
import type { Sandbox } from '../provider.ts'
import { channels } from './channels.ts'
import { createTransaction } from './create.ts'
import { type Answer, refusal, transactionNotFound } from './errors.ts'
import { fieldsOf, textOf } from './fields.ts'
import { authenticated } from './merchant.ts'
import { statusMessage } from './messages.ts'
import { duitkuOrder } from './order.ts'
import { listSignatureOf } from './signature.ts'

const API = '/webapi/api/merchant'

export function duitkuRoutes(sandbox: Sandbox): Router {
  const router = new Router()
  router.post(`${API}/v2/inquiry`, ctx => createTransaction(sandbox, ctx))
  router.post(`${API}/transactionStatus`, ctx => sendStatus(sandbox, ctx))
  router.post(`${API}/paymentmethod/getpaymentmethod`, ctx => listMethods(sandbox, ctx))
  router.all('/{*rest}', ctx => send(ctx, refusal(404, 'No HTTP resource was found.')))
  return router
}

async function sendStatus(sandbox: Sandbox, ctx: Context): Promise<void> {
  const fields = fieldsOf(await readBody(ctx.req), ctx.get('content-type'))
  const [merchantCode = '', reference = '', signature = ''] = [
    'merchantCode',
    'merchantOrderId',
    'signature',
  ].map(name => textOf(fields, name))
  const caller = authenticated(sandbox, { merchantCode, signature }, `${merchantCode}${reference}`)
  if ('refused' in caller) return send(ctx, caller.refused)
  const order = sandbox.store.findOfMerchant('duitku', caller.merchant.id, reference)
  if (!order) return send(ctx, transactionNotFound)
  ctx.body = statusMessage(duitkuOrder(order))
}

async function listMethods(sandbox: Sandbox, ctx: Context): Promise<void> {
  const fields = fieldsOf(await readBody(ctx.req), ctx.get('content-type'))
  const [merchantCode = '', amount = '', datetime = '', signature = ''] = [
    'merchantCode',
    'amount',
    'datetime',
    'signature',
  ].map(name => textOf(fields, name))
  const signed = `${merchantCode}${amount}${datetime}`
  const caller = authenticated(sandbox, { merchantCode, signature }, signed, listSignatureOf)
  if ('refused' in caller) return send(ctx, caller.refused)
  ctx.body = {
    paymentFee: channels.map(({ code, name }) => ({
      paymentMethod: code,
      paymentName: name,
      paymentImage: `https://images.duitku.com/hotlink-ok/${code}.PNG`,
      // The payer's fee is zero, because the merchant pays the fee.
      totalFee: '0',
    })),
    responseCode: '00',
    responseMessage: 'SUCCESS',
  }
}

function send(ctx: Context, { status, body }: Answer | typeof transactionNotFound): void {
  ctx.status = status
  ctx.type = 'application/json'
  ctx.body = JSON.stringify(body)
}
