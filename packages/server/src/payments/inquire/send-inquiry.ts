// Sends status inquiries and fraud decisions to the provider of a payment's latest charge attempt.

import type { Logger } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import {
  type Inquiry,
  type InquiryResult,
  type MoneyReturn,
  ProviderError,
  RateLimitedError,
} from '../../providers/provider.ts'
import { attemptStartedAt, type Payment, referenceOf } from '../payment.ts'

type Deps = { accountOf: LoadAccount; health: ProviderHealth; log: Logger }

/**
 * Called when the provider's rate limit rejects a status inquiry. The parameter `retryAfterMs` is the delay
 * after which the inquiry may be retried.
 */
export type OnRateLimit = (retryAfterMs: number) => void

/**
 * Sends a status inquiry about the payment and about `reportedReturns`, its known refunds and chargebacks. A callback
 * reported them, or the service recorded them. Returns the result, or `no answer` if the inquiry failed, so that the payment stays unchanged.
 */
export async function sendInquiry(
  app: Deps,
  payment: Payment,
  onRateLimit: OnRateLimit = () => {},
  reportedReturns: MoneyReturn[] = [],
): Promise<InquiryResult | 'no answer'> {
  const { provider, account } = await loadAccount(app, payment)
  try {
    return await app.health.monitor(healthTarget(payment, provider), 'inquiry', () =>
      provider.inquire(account, {
        ...inquiryOf(payment),
        ...(reportedReturns.length > 0 && { reportedReturns }),
      }),
    )
  } catch (error) {
    if (error instanceof RateLimitedError) onRateLimit(error.retryAfterMs)
    const { tenantId, id: paymentId } = payment
    const fields = { err: error, tenantId, paymentId, provider: provider.code }
    // An error other than a ProviderError is a bug in this service. Such an error does not change the
    // payment's schedule, so the next scheduled inquiry is the retry.
    if (error instanceof ProviderError) app.log.warn(fields, 'status inquiry failed')
    else app.log.error(fields, 'status inquiry failed: the response could not be processed')
    return 'no answer'
  }
}

/**
 * Returns the order references of the payments the provider lists as unpaid. The set is empty if the provider
 * offers no list or the request fails. The caller then sends an inquiry for each payment.
 */
export async function readUnpaidList(
  app: Deps,
  accountId: string,
  payments: readonly [Payment, ...Payment[]],
  onRateLimit: OnRateLimit,
): Promise<ReadonlySet<string>> {
  try {
    // `accountOf` is called inside the `try` block, because it reads the database and fails if the database
    // is unavailable.
    const loaded = await app.accountOf(accountId)
    if (!loaded?.provider.listUnpaid) return new Set()
    const { provider, account } = loaded
    const { tenantId } = payments[0]
    return await app.health.monitor(
      { accountId, providerCode: provider.code, tenantId },
      'inquiry',
      async () => (await provider.listUnpaid?.(account, payments.map(inquiryOf))) ?? new Set(),
    )
  } catch (error) {
    if (error instanceof RateLimitedError) onRateLimit(error.retryAfterMs)
    app.log.warn({ err: error, accountId }, 'list of unpaid payments could not be read from the provider')
    return new Set()
  }
}

/**
 * Approves or denies a payment the provider holds for fraud review, if the provider's API supports this. Errors are
 * only logged, because a status inquiry later shows the effect.
 */
export async function sendChallengeDecision(
  app: Deps,
  payment: Payment,
  verdict: 'approve' | 'deny',
): Promise<'done' | 'not supported' | 'no answer'> {
  const { provider, account } = await loadAccount(app, payment)
  if (!provider.decideChallenge) return 'not supported'
  try {
    await app.health.monitor(healthTarget(payment, provider), 'inquiry', async () =>
      provider.decideChallenge?.(account, inquiryOf(payment), verdict),
    )
    return 'done'
  } catch (error) {
    const { tenantId, id: paymentId } = payment
    app.log.warn(
      { err: error, tenantId, paymentId, provider: provider.code, verdict },
      'decision on a challenged payment could not be sent to the provider',
    )
    return 'no answer'
  }
}

async function loadAccount(app: Deps, { providerAccountId }: Payment) {
  const loaded = await app.accountOf(providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
  return loaded
}

const healthTarget = ({ providerAccountId, tenantId }: Payment, { code }: { code: string }) => ({
  accountId: providerAccountId,
  providerCode: code,
  tenantId,
})

export const inquiryOf = (payment: Payment): Inquiry => ({
  reference: referenceOf(payment),
  amount: payment.amount,
  channel: payment.channel,
  methodDetail: payment.methodDetail,
  startedAt: attemptStartedAt(payment),
  providerPaymentId: payment.providerPaymentId,
  methodData: payment.methodData,
})
