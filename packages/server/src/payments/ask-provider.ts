// What the provider of a payment's try says about it now.

import type { App } from '../app.ts'
import { type Inquiry, ProviderError, type ProviderWord } from '../providers/provider.ts'
import { type Payment, referenceOf, startOf } from './payment.ts'

type Deps = Pick<App, 'accountOf' | 'health' | 'log'>

/** `no answer`: it did not say, for whatever reason; nothing follows. */
export async function askAbout(app: Deps, payment: Payment): Promise<ProviderWord | 'no answer'> {
  const loaded = await app.accountOf(payment.providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${payment.providerAccountId}`)
  const { provider, account } = loaded
  try {
    return await app.health.watch(
      { accountId: account.id, providerCode: provider.code, tenantId: payment.tenantId },
      'inquiry',
      () => provider.inquire(account, inquiryOf(payment)),
    )
  } catch (error) {
    const { tenantId, id: paymentId } = payment
    const fields = { err: error, tenantId, paymentId, provider: provider.code }
    // A fault of ours must not keep a payment from going on without the answer.
    if (error instanceof ProviderError) app.log.warn(fields, 'inquiry not answered')
    else app.log.error(fields, 'the answer to an inquiry could not be read')
    return 'no answer'
  }
}

const inquiryOf = (payment: Payment): Inquiry => ({
  reference: referenceOf(payment),
  amount: payment.amount,
  channel: payment.channel,
  methodDetail: payment.methodDetail,
  startedAt: startOf(payment),
  providerPaymentId: payment.providerPaymentId,
  methodData: payment.methodData,
})
