import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Sandbox } from '../provider.ts'
import type { Rule } from '../rules.ts'
import { type Service, services } from './answer.ts'
import { ruledCall } from './call.ts'
import { written } from './create.ts'
import { requestOf, say } from './exchange.ts'
import type { SnapCall, SnapProfile } from './profile.ts'
import { type Refunded, refundDebit, refundQr, reportRefund } from './refund.ts'
import { keepSuccess, storedAnswer } from './replay.ts'
import { snapRules } from './rules.ts'

type Refund = (sandbox: Sandbox, call: SnapCall) => Refunded

const refunds: [path: string, Service, readonly Rule[], Refund][] = [
  ['/v1.0/debit/refund', services.refundDebit, snapRules.refundDebit, refundDebit],
  ['/v1.0/qr/qr-mpm-refund', services.refundQr, snapRules.refundQr, refundQr],
]

export function refundRoutes(router: Router, sandbox: Sandbox, profile: SnapProfile): void {
  for (const [path, service, rules, refund] of refunds) {
    router.post(path, async ctx => {
      const call = ruledCall(sandbox, profile, service, rules, await requestOf(ctx, profile.provider))
      if ('refused' in call) return say(ctx, call.refused)
      sayRefund(ctx, answerRefund(sandbox, call, refund))
    })
  }
}

/**
 * Handles a refund request. A request with an already used X-EXTERNAL-ID gets the first response, because merchants
 * repeat a request after a timeout.
 */
function answerRefund(sandbox: Sandbox, call: SnapCall, refund: Refund): Refunded {
  const repeated = storedAnswer(sandbox, call)
  if (repeated) return { answer: { ...repeated, body: JSON.parse(repeated.body) } }
  const refunded = sandbox.store.together(() => {
    const done = refund(sandbox, call)
    if (done.begun) sandbox.store.recordReturn(done.begun.order.seq, done.begun.refund)
    keepSuccess(sandbox, call, written(done.answer))
    return done
  })
  if (refunded.begun) reportRefund(sandbox, refunded.begun)
  return refunded
}

/** Sends the response to a refund request. For the failure `timeout`, sends nothing and keeps the connection open. */
export function sayRefund(ctx: Context, { answer, begun }: Refunded): void {
  if (begun?.steering === 'timeout') ctx.respond = false
  else say(ctx, answer)
}
