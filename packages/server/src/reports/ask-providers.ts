import type { App } from '../app.ts'
import { askAbout, type OnRateLimit } from '../payments/ask-provider.ts'
import { findPayment } from '../payments/payment.sql.ts'
import type { Word } from './difference.ts'
import type { PaymentOfDay } from './reconciliation.sql.ts'

/** Of one account, for a request or for the daily reconciliation: enough for a day's payments in minutes, and a load that a provider bears besides its own. */
export const QUESTIONS_AT_ONCE = 16

export type CanAsk = Pick<App, 'db'> & Parameters<typeof askAbout>[0]

/**
 * Asks the providers about payments, each account's so many at a time, and tells each answer as it comes;
 * without a word where there was none. Asks nothing more once isOver.
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

/** `untold`: the provider has no way to tell. `no answer`: it, or we, could not now. */
export async function askWord(
  app: CanAsk,
  { tenantId, id, number, accountId, attempt }: PaymentOfDay,
  onRateLimit?: OnRateLimit,
): Promise<Word | 'untold' | 'no answer'> {
  const payment = await findPayment(app.db, tenantId, id, null)
  // An account may be of a provider that this build has no more.
  if (!payment || !(await app.accountOf(accountId))) return 'untold'
  const word = await askAbout(
    app,
    {
      ...payment,
      // Paid by an earlier try, whose provider is the one that knows; what it answered then is no longer kept.
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
