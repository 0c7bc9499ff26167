// What the provider of a payment's try says about it now.

import type { App } from '../app.ts'
import { type Inquiry, ProviderError, type ProviderWord, RateLimitedError } from '../providers/provider.ts'
import { type Payment, referenceOf, startOf } from './payment.ts'

type Deps = Pick<App, 'accountOf' | 'health' | 'log'>

/** Called where the provider's rate limit refused the inquiry. */
export type OnRateLimit = (retryAfterMs: number) => void

/** `no answer`: it did not say, for whatever reason; nothing follows. */
export async function askAbout(
  app: Deps,
  payment: Payment,
  onRateLimit: OnRateLimit = () => {},
): Promise<ProviderWord | 'no answer'> {
  const { provider, account } = await loadAccount(app, payment)
  try {
    return await app.health.watch(watched(payment, provider), 'inquiry', () =>
      provider.inquire(account, inquiryOf(payment)),
    )
  } catch (error) {
    if (error instanceof RateLimitedError) onRateLimit(error.retryAfterMs)
    const { tenantId, id: paymentId } = payment
    const fields = { err: error, tenantId, paymentId, provider: provider.code }
    // A fault of ours must not keep a payment from going on without the answer.
    if (error instanceof ProviderError) app.log.warn(fields, 'inquiry not answered')
    else app.log.error(fields, 'the answer to an inquiry could not be read')
    return 'no answer'
  }
}

/**
 * The references of those of one account's payments that the provider's list shows to be unpaid. Empty where the provider
 * has no list or does not answer: each payment is then asked about.
 */
export async function listUnpaid(
  app: Deps,
  accountId: string,
  payments: readonly [Payment, ...Payment[]],
  onRateLimit: OnRateLimit,
): Promise<ReadonlySet<string>> {
  try {
    // It reads the database, which may be away.
    const loaded = await app.accountOf(accountId)
    if (!loaded?.provider.listUnpaid) return new Set()
    const { provider, account } = loaded
    const { tenantId } = payments[0]
    return await app.health.watch(
      { accountId, providerCode: provider.code, tenantId },
      'inquiry',
      async () => (await provider.listUnpaid?.(account, payments.map(inquiryOf))) ?? new Set(),
    )
  } catch (error) {
    if (error instanceof RateLimitedError) onRateLimit(error.retryAfterMs)
    app.log.warn({ err: error, accountId }, 'list of payments could not be read')
    return new Set()
  }
}

/**
 * Approves or denies at the provider what it holds on suspicion of fraud, where its API can. Whether it took effect is
 * for an inquiry to tell, also after an error.
 */
export async function settleChallenge(
  app: Deps,
  payment: Payment,
  verdict: 'approve' | 'deny',
): Promise<'done' | 'not supported' | 'no answer'> {
  const { provider, account } = await loadAccount(app, payment)
  if (!provider.settleChallenge) return 'not supported'
  try {
    await app.health.watch(watched(payment, provider), 'inquiry', async () =>
      provider.settleChallenge?.(account, inquiryOf(payment), verdict),
    )
    return 'done'
  } catch (error) {
    const { tenantId, id: paymentId } = payment
    app.log.warn(
      { err: error, tenantId, paymentId, provider: provider.code, verdict },
      'challenge not settled',
    )
    return 'no answer'
  }
}

async function loadAccount(app: Deps, { providerAccountId }: Payment) {
  const loaded = await app.accountOf(providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
  return loaded
}

const watched = ({ providerAccountId, tenantId }: Payment, { code }: { code: string }) => ({
  accountId: providerAccountId,
  providerCode: code,
  tenantId,
})

const inquiryOf = (payment: Payment): Inquiry => ({
  reference: referenceOf(payment),
  amount: payment.amount,
  channel: payment.channel,
  methodDetail: payment.methodDetail,
  startedAt: startOf(payment),
  providerPaymentId: payment.providerPaymentId,
  methodData: payment.methodData,
})
