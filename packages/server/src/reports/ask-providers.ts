import type { App } from '../app.ts'
import { askAbout, type OnRateLimit } from '../payments/ask-provider.ts'
import { findPayment } from '../payments/payment.sql.ts'
import type { Word } from './difference.ts'
import type { PaymentOfDay } from './reconciliation.sql.ts'

/**
 * Concurrent inquiries per account and request or reconciliation pass. This polls a day's payments within minutes, at
 * a load that a provider can take in addition to its other traffic.
 */
export const QUESTIONS_AT_ONCE = 16

export type CanAsk = Pick<App, 'db'> & Parameters<typeof askAbout>[0]

/**
 * Polls providers about payments, up to QUESTIONS_AT_ONCE at a time per account. Calls `tell` after each inquiry,
 * without a word if the provider did not respond. Starts no inquiry after `isOver` returns true.
 */
export async function askProviders(
  app: CanAsk,
  payments: PaymentOfDay[],
  tell: (payment: PaymentOfDay, word: Word | undefined) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  const byAccount = Map.groupBy(payments, payment => payment.accountId)
  await Promise.all(
    [...byAccount.values()].flatMap(ofAccount => {
      const rest = ofAccount.values()
      return Array.from({ length: Math.min(QUESTIONS_AT_ONCE, ofAccount.length) }, async () => {
        for (const payment of rest) {
          if (isOver()) return
          await tell(payment, await ask(app, payment))
        }
      })
    }),
  )
}

async function ask(app: CanAsk, payment: PaymentOfDay): Promise<Word | undefined> {
  const word = await askWord(app, payment)
  return word === 'untold' || word === 'no answer' ? undefined : word
}

/**
 * `untold`: the provider cannot report this payment's status. `no answer`: the inquiry failed,
 * at the provider or on our side.
 */
export async function askWord(
  app: CanAsk,
  { tenantId, id, number, accountId, attempt }: PaymentOfDay,
  onRateLimit?: OnRateLimit,
): Promise<Word | 'untold' | 'no answer'> {
  const payment = await findPayment(app.db, tenantId, id, null)
  // The account's provider may no longer be part of this build.
  if (!payment || !(await app.accountOf(accountId))) return 'untold'
  const word = await askAbout(
    app,
    {
      ...payment,
      // The payment was paid by an earlier attempt, so poll that attempt's provider. Its `methodData` is not stored.
      ...(number !== attempt && {
        attempt: number,
        providerAccountId: accountId,
        providerPaymentId: null,
        methodData: null,
      }),
    },
    onRateLimit,
  )
  if (word === 'untold' || word === 'no answer') return word
  if (word !== 'absent' && word.fact.type === 'unproven') return 'no answer'
  return { source: 'inquiry', word }
}
