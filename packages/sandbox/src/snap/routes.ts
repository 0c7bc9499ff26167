import Router from '@koa/router'
import type { Context } from 'koa'
import { parseJson } from '../body.ts'
import type { Sandbox } from '../provider.ts'
import { sendReport } from '../report.ts'
import type { Rule } from '../rules.ts'
import { sendAnswer } from '../steering.ts'
import { type Service, type SnapAnswer, services } from './answer.ts'
import { ruledCall } from './call.ts'
import { type Cancelled, cancelDebit, cancelQr, cancelVa } from './cancel.ts'
import { type CreateService, createOrder, ruled, written } from './create.ts'
import { payDebit } from './debit.ts'
import { requestOf, say } from './exchange.ts'
import { inquireDebit, inquireQr, inquireVa, paths } from './inquire.ts'
import type { SnapCall, SnapProfile } from './profile.ts'
import { generateQr } from './qr.ts'
import { refundRoutes } from './refund-routes.ts'
import { keepSuccess, storedAnswer } from './replay.ts'
import { headerRules, snapRules, tokenRules } from './rules.ts'
import { isoWib } from './time.ts'
import { answerTokenCall } from './token.ts'
import { createVa } from './virtual-account.ts'

const midtrans: SnapProfile = {
  provider: 'snap',
  partnerId: credentials => credentials.partner_id,
  secret: credentials => credentials.client_secret,
  tokenRules,
  headerRules,
}

export function snapRoutes(sandbox: Sandbox): Router {
  const router = new Router()

  router.post('/v1.0/access-token/b2b', async ctx => {
    const { headers, text } = await requestOf(ctx, 'snap')
    say(ctx, answerTokenCall(sandbox, midtrans, headers, parseJson(text)))
  })

  const creates: [path: string, create: CreateService][] = [
    [paths.createVa, ruled(snapRules.createVa, createVa)],
    [paths.generateQr, ruled(snapRules.generateQr, generateQr)],
    [paths.payDebit, ruled(snapRules.payDebit, payDebit)],
  ]
  for (const [path, create] of creates) {
    router.post(path, ctx => answerCreate(ctx, sandbox, midtrans, create))
  }

  type Inquire = (sandbox: Sandbox, call: SnapCall) => SnapAnswer
  const inquiries: [path: string, Service, readonly Rule[], Inquire][] = [
    ['/v1.0/transfer-va/status', services.statusVa, snapRules.statusVa, inquireVa],
    ['/v1.0/qr/qr-mpm-query', services.queryQr, snapRules.queryQr, inquireQr],
    ['/v1.0/debit/status', services.statusDebit, snapRules.statusDebit, inquireDebit],
  ]
  for (const [path, service, rules, inquire] of inquiries) {
    router.post(path, async ctx => {
      const call = ruledCall(sandbox, midtrans, service, rules, await requestOf(ctx, 'snap'))
      say(ctx, 'refused' in call ? call.refused : inquire(sandbox, call))
    })
  }

  type Cancel = (sandbox: Sandbox, call: SnapCall) => Cancelled
  const cancels: [path: string, Service, readonly Rule[], Cancel][] = [
    ['/v1.0/transfer-va/delete-va', services.deleteVa, snapRules.cancelVa, cancelVa],
    ['/v1.0/qr/qr-mpm-cancel', services.cancelQr, snapRules.cancelQr, cancelQr],
    ['/v1.0/debit/cancel', services.cancelDebit, snapRules.cancelDebit, cancelDebit],
  ]
  for (const [path, service, rules, cancel] of cancels) {
    router.post(path, async ctx => {
      const call = ruledCall(sandbox, midtrans, service, rules, await requestOf(ctx, 'snap'))
      say(ctx, 'refused' in call ? call.refused : answerCancel(sandbox, call, cancel))
    })
  }

  refundRoutes(router, sandbox, midtrans)

  router.all('/{*rest}', ctx => {
    ctx.status = 404
    ctx.body = { responseCode: '4040000', responseMessage: 'Invalid Routing' }
  })
  return router
}

/**
 * Handles a cancellation. A repeated cancellation gets the stored response, because Midtrans documents: "Retry this
 * request with the same X-EXTERNAL-ID and request body to avoid creating duplicate transaction."
 */
function answerCancel(
  sandbox: Sandbox,
  call: SnapCall,
  cancel: (sandbox: Sandbox, call: SnapCall) => Cancelled,
): SnapAnswer {
  const repeated = storedAnswer(sandbox, call)
  if (repeated) return { ...repeated, body: JSON.parse(repeated.body) }
  const { answer, changed } = sandbox.store.together(() => {
    const done = cancel(sandbox, call)
    if (done.changed) sandbox.store.recordOrder(done.changed)
    keepSuccess(sandbox, call, written(done.answer))
    return done
  })
  if (changed) sendReport(sandbox, changed)
  return answer
}

export async function answerCreate(
  ctx: Context,
  sandbox: Sandbox,
  profile: SnapProfile,
  create: CreateService,
): Promise<void> {
  const answer = createOrder(sandbox, profile, create, await requestOf(ctx, profile.provider))
  if (answer.created && sandbox.settings.pendingNotifications) sendReport(sandbox, answer.created)
  ctx.set('x-timestamp', isoWib(Date.now()))
  await sendAnswer(ctx, answer)
}
