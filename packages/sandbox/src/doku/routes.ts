import Router from '@koa/router'
import type { Context } from 'koa'
import { parseJson } from '../body.ts'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import type { Rule } from '../rules.ts'
import { type Service, type SnapAnswer, services, refusal as snapRefusal } from '../snap/answer.ts'
import { authenticated as snapAuthenticated } from '../snap/call.ts'
import { type CreateService, ruled } from '../snap/create.ts'
import { requestOf, say } from '../snap/exchange.ts'
import type { SnapCall, SnapProfile } from '../snap/profile.ts'
import { type Begun, type Refunded, reportRefund } from '../snap/refund.ts'
import { sayRefund } from '../snap/refund-routes.ts'
import { answerCreate } from '../snap/routes.ts'
import { ruleRefusal } from '../snap/ruled.ts'
import { answerTokenCall } from '../snap/token.ts'
import { sendAnswer } from '../steering.ts'
import { channels } from './channels.ts'
import { authenticated } from './direct-call.ts'
import { refusal } from './errors.ts'
import { isUsed, markUsed } from './external-id.ts'
import { statusMessage } from './messages.ts'
import { directOrder } from './order.ts'
import { createPaymentCode } from './payment-code.ts'
import { refundDebit, refundQr } from './refund.ts'
import { dokuRules } from './rules.ts'
import { createVa, generateQr, payDebit } from './snap-create.ts'
import { deleteVa, inquireDebit, inquireQr, inquireVa, updateVa } from './snap-orders.ts'

const profile: SnapProfile = {
  provider: 'doku',
  partnerId: credentials => credentials.client_id,
  secret: credentials => credentials.secret_key,
  // There are no rules for headers, because DOKU's official client violates the usual rules. Its IDs are long
  // and not numeric, and its wallet requests have no CHANNEL-ID.
  headerRules: [],
  tokenRules: [],
}

export function dokuRoutes(sandbox: Sandbox): Router {
  const router = new Router()
  directRoutes(router, sandbox)
  snapRoutes(router, sandbox)
  router.all('/{*rest}', ctx => sayDirect(ctx, refusal('data_not_found', 'Not Found')))
  return router
}

function directRoutes(router: Router, sandbox: Sandbox): void {
  for (const channel of channels) {
    router.post(`/${channel.product}/v2/payment-code`, async ctx => {
      await sendAnswer(ctx, createPaymentCode(sandbox, channel, await requestOf(ctx, 'doku')))
    })
  }

  router.get('/orders/v1/status/:invoice', async ctx => {
    const call = authenticated(sandbox, await requestOf(ctx, 'doku'))
    if ('refused' in call) return sayDirect(ctx, call.refused)
    const found = sandbox.store.findOfMerchant('doku', call.merchant.id, ctx.params.invoice ?? '')
    if (!found || !directOrder(found)) {
      return sayDirect(ctx, refusal('data_not_found', 'Transaction is not found'))
    }
    ctx.body = statusMessage(found)
  })
}

function snapRoutes(router: Router, sandbox: Sandbox): void {
  router.post('/authorization/v1/access-token/b2b', async ctx => {
    const { headers, text } = await requestOf(ctx, 'doku')
    say(ctx, answerTokenCall(sandbox, profile, headers, parseJson(text)))
  })

  const virtualAccounts = '/virtual-accounts/bi-snap-va/v1.1/transfer-va'
  const creates: [path: string, create: CreateService][] = [
    [`${virtualAccounts}/create-va`, ruled(dokuRules.createVa, createVa)],
    ['/snap-adapter/b2b/v1.0/qr/qr-mpm-generate', generateQr],
    ['/direct-debit/core/v1/debit/payment-host-to-host', ruled(dokuRules.payWallet, payDebit)],
  ]
  for (const [path, create] of creates) {
    router.post(path, ctx => answerCreate(ctx, sandbox, profile, create))
  }

  type Inquire = (sandbox: Sandbox, call: SnapCall) => SnapAnswer
  const inquiries: [path: string, Service, readonly Rule[], Inquire][] = [
    ['/orders/v1.0/transfer-va/status', services.statusVa, dokuRules.statusVa, inquireVa],
    // QR code inquiries have no validation rules, because DOKU's official libraries do not support QR codes.
    ['/snap-adapter/b2b/v1.0/qr/qr-mpm-query', services.queryQr, [], inquireQr],
    ['/orders/v1.0/debit/status', services.statusDebit, dokuRules.statusWallet, inquireDebit],
  ]
  for (const [path, service, rules, inquire] of inquiries) {
    router.post(path, async ctx => {
      const work = (call: SnapCall) => ({ answer: inquire(sandbox, call) })
      const { answer } = await answerOnce(ctx, sandbox, { service, rules }, work)
      say(ctx, answer)
    })
  }
  type Refund = (sandbox: Sandbox, call: SnapCall) => Refunded
  const refunds: [path: string, Service, readonly Rule[], Refund][] = [
    ['/direct-debit/core/v1/debit/refund', services.refundDebitDoku, dokuRules.refundWallet, refundDebit],
    ['/snap-adapter/b2b/v1.0/qr/qr-mpm-refund', services.refundQr, [], refundQr],
  ]
  for (const [path, service, rules, refund] of refunds) {
    router.post(path, async ctx => {
      const refunded = await answerOnce(ctx, sandbox, { service, rules }, call => refund(sandbox, call))
      // DOKU documents no refund notification. Only a status inquiry shows that a wallet refund failed.
      if (refunded.begun) reportRefund(sandbox, refunded.begun)
      sayRefund(ctx, refunded)
    })
  }
  const updating = { service: services.updateVa, rules: dokuRules.updateVa }
  router.put(`${virtualAccounts}/update-va`, async ctx => {
    const { answer } = await answerOnce(ctx, sandbox, updating, call => updateVa(sandbox, call))
    say(ctx, answer)
  })
  const deleting = { service: services.deleteVa, rules: dokuRules.deleteVa }
  router.delete(`${virtualAccounts}/delete-va`, async ctx => {
    const { answer } = await answerOnce(ctx, sandbox, deleting, call => deleteVa(sandbox, call))
    say(ctx, answer)
  })
}

type Done = { answer: SnapAnswer; changed?: Order; updated?: Order; begun?: Begun }

/**
 * Handles a signed call. Rejects an X-EXTERNAL-ID already used on the same day, even by a failed call. Sends no
 * notification when a virtual account is deleted, because DOKU documents none.
 */
async function answerOnce(
  ctx: Context,
  sandbox: Sandbox,
  { service, rules }: { service: Service; rules: readonly Rule[] },
  work: (call: SnapCall) => Done,
): Promise<Done> {
  const call = snapAuthenticated(sandbox, profile, service, await requestOf(ctx, 'doku'))
  if ('refused' in call) return { answer: call.refused }
  const now = Date.now()
  return sandbox.store.together(() => {
    if (isUsed(sandbox, call, now)) return { answer: snapRefusal(service, 'sameExternalId') }
    markUsed(sandbox, call, now)
    const refused = rules.length > 0 ? ruleRefusal(rules, service, call) : undefined
    if (refused) return { answer: refused }
    const done = work(call)
    if (done.changed) sandbox.store.recordOrder(done.changed)
    if (done.updated) sandbox.store.changeOrder(done.updated)
    if (done.begun) sandbox.store.recordReturn(done.begun.order.seq, done.begun.refund)
    return done
  })
}

function sayDirect(ctx: Context, { status, body }: { status: number; body: Record<string, unknown> }): void {
  ctx.status = status
  ctx.body = body
}
