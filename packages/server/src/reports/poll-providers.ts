import type { Db } from '../db/db.ts'
import { type OnRateLimit, sendInquiry } from '../payments/inquire/send-inquiry.ts'
import { findPaymentInBatch, type PaymentKey } from '../payments/payment.sql.ts'
import { listRefundsOfPayments } from '../payments/record/refund.sql.ts'
import { isRequestedHere } from '../payments/record/refund.ts'
import type { MoneyReturn } from '../providers/provider.ts'
import type { ProviderData } from './difference.ts'
import type { PaymentOfDay } from './payments-of-day.sql.ts'

/**
 * The maximum number of status inquiries in flight per provider account. This limit is high enough to poll a day's
 * payments within minutes, and low enough to leave the provider capacity for other requests.
 */
export const MAX_INQUIRIES_PER_ACCOUNT = 16

export type PollDeps = { db: Db } & Parameters<typeof sendInquiry>[0]

/**
 * Polls providers about payments. After each inquiry, calls `onData` with the provider's data, or with
 * undefined if there is none. Once `isOver` returns true, no further inquiry is started.
 */
export async function pollProviders(
  app: PollDeps,
  payments: PaymentOfDay[],
  onData: (payment: PaymentOfDay, data: ProviderData | undefined) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  const byAccount = Map.groupBy(payments, payment => payment.accountId)
  await Promise.all(
    [...byAccount.values()].flatMap(ofAccount => {
      const rest = ofAccount.values()
      return Array.from({ length: Math.min(MAX_INQUIRIES_PER_ACCOUNT, ofAccount.length) }, async () => {
        for (const payment of rest) {
          if (isOver()) return
          await onData(payment, await inquire(app, payment))
        }
      })
    }),
  )
}

async function inquire(app: PollDeps, payment: PaymentOfDay): Promise<ProviderData | undefined> {
  const data = await inquireProviderData(app, payment)
  return data === 'not_reported' || data === 'no answer' ? undefined : data
}

/**
 * Polls the provider about one payment. Returns `not_reported` if the provider cannot report the payment's
 * status, and `no answer` if the inquiry failed at the provider or in this service.
 */
export async function inquireProviderData(
  app: PollDeps,
  { tenantId, id, number, accountId, attempt, hasReturns }: PaymentOfDay,
  onRateLimit?: OnRateLimit,
): Promise<ProviderData | 'not_reported' | 'no answer'> {
  const payment = await findPaymentInBatch(app.db, tenantId, id, null)
  if (!payment) return 'not_reported'
  try {
    // `accountOf` finds no account if this version of the service no longer contains the adapter for the
    // account's provider.
    if (!(await app.accountOf(accountId))) return 'not_reported'
  } catch (error) {
    // One account whose credentials cannot be decrypted must not prevent the other accounts from being polled.
    app.log.error({ err: error, providerAccountId: accountId }, 'provider account could not be loaded')
    return 'no answer'
  }
  const status = await sendInquiry(
    app,
    {
      ...payment,
      // If an earlier charge attempt was paid, the status inquiry is sent to that attempt's provider account. The
      // payment instructions, `methodData`, are then null, because they are stored only for the latest attempt.
      ...(number !== attempt && {
        attempt: number,
        providerAccountId: accountId,
        providerPaymentId: null,
        methodData: null,
      }),
    },
    onRateLimit,
    // Without them, Xendit's adapter does not request the refunds, so they would be missing in the provider's data.
    hasReturns ? await listReturns(app.db, { tenantId, paymentId: id }) : [],
  )
  if (status === 'not_reported' || status === 'no answer') return status
  if (status !== 'absent' && status.fact.type === 'unproven') return 'no answer'
  return { source: 'inquiry', status }
}

/** Lists the payment's recorded refunds and chargebacks at the provider. */
async function listReturns(db: Db, key: PaymentKey): Promise<MoneyReturn[]> {
  const refunds = await listRefundsOfPayments(db, [key])
  return refunds
    .filter(({ method }) => method === 'provider')
    .map(({ origin, providerRefundId, reference, amount, status }) => ({
      kind: origin === 'chargeback' ? 'chargeback' : 'refund',
      id: providerRefundId,
      ...(isRequestedHere(origin) && { reference }),
      ...{ amount, status },
    }))
}
