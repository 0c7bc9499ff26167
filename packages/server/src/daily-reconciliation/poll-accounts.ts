// Runs one pass of a reconciliation run: sends a status inquiry about each payment that needs one. If the provider does
// not respond, the next pass repeats the inquiry. Concurrent inquiries are limited per provider account and in total.
// Within a provider's rate limit, other inquiries have priority over the reconciliation's inquiries.

import { setTimeout as pause } from 'node:timers/promises'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { getPaymentsOfDay, type PaymentOfDay } from '../reports/payments-of-day.sql.ts'
import { inquireProviderData, MAX_INQUIRIES_PER_ACCOUNT, type PollDeps } from '../reports/poll-providers.ts'
import type { Clock } from '../values/time.ts'
import { finishCheck, listWaitingAccounts, listWaitingChecks, type PaymentToPoll } from './check.sql.ts'
import { dayOfRun, storeFindings } from './compare-day.ts'
import type { ClaimedRun } from './run.sql.ts'

const MAX_ACCOUNTS = 4
/**
 * A pass (a round of status inquiries) sends at most this many inquiries for one provider account before it
 * continues with the next account.
 */
const PAGE = 200
/**
 * After this many consecutive inquiries without a response, the pass (round of status inquiries) skips the
 * provider account. Its provider is probably unavailable or rejects its credentials.
 */
const MAX_UNANSWERED = 32
/**
 * The maximum duration of a pass (a round of status inquiries). It is less than a day, so that the next day's run
 * starts on time.
 */
const MAX_PASS_MS = 6 * 3_600_000
/** The pause before the next inquiry to a provider account whose rate limit is used up. */
const LIMITED_PAUSE_MS = 500

type Deps = PollDeps & { clock: Clock }

/**
 * State shared by all status inquiries of a pass (a round of comparisons and inquiries). The function `checkpoint` is
 * called after each inquiry and during each wait, and throws an error if the pass must end.
 */
type Pass = { limits: InquiryLimits; run: ClaimedRun; checkpoint: () => Promise<void> }

export async function pollAccounts(app: Deps, pass: Pass): Promise<void> {
  const endsAt = app.clock().getTime() + MAX_PASS_MS
  const stoppable = stoppableByFailure(pass)
  const accounts = await listWaitingAccounts(app.db, pass.run)
  const turns = accounts.map(accountId => ({
    accountId,
    after: undefined as PaymentToPoll | undefined,
    unanswered: 0,
  }))
  await runWorkers(stoppable, MAX_ACCOUNTS, async () => {
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      const checks = await listWaitingChecks(app.db, pass.run, turn.accountId, turn.after, PAGE)
      turn.unanswered = await pollPage(app, stoppable, checks, turn.unanswered)
      turn.after = checks.at(-1)
      const hasMore = checks.length === PAGE && turn.unanswered < MAX_UNANSWERED
      if (hasMore && app.clock().getTime() < endsAt) turns.push(turn)
    }
  })
}

type Stoppable = Pass & { fail: (error: unknown) => void }

/**
 * Returns a copy of `pass`, a round of status inquiries, for workers that run concurrently. If one worker fails, the
 * others stop at their next call to `checkpoint`.
 */
function stoppableByFailure(pass: Pass): Stoppable {
  let failed: { error: unknown } | undefined
  return {
    ...pass,
    async checkpoint() {
      if (failed) throw failed.error
      await pass.checkpoint()
    },
    fail(error) {
      failed ??= { error }
    },
  }
}

/**
 * Runs `count` workers concurrently. If one fails, the returned promise still waits for the others, so that
 * no inquiry starts after the promise has settled.
 */
async function runWorkers({ fail }: Stoppable, count: number, worker: () => Promise<void>): Promise<void> {
  const workers = Array.from({ length: count }, () =>
    worker().catch(error => {
      fail(error)
      throw error
    }),
  )
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/**
 * Sends the status inquiries for one page of payments. `unanswered` is the number of consecutive inquiries that got no
 * response before this page. Returns the number of consecutive unanswered inquiries after this page.
 */
async function pollPage(
  app: Deps,
  pass: Stoppable,
  checks: PaymentToPoll[],
  unanswered: number,
): Promise<number> {
  const payments = await paymentsOf(app, pass, checks)
  const rest = checks.values()
  await runWorkers(pass, Math.min(MAX_INQUIRIES_PER_ACCOUNT, checks.length), async () => {
    for (const check of rest) {
      if (unanswered >= MAX_UNANSWERED) return
      const payment = payments.get(check.paymentId)
      const isAnswered = payment && (await pollPayment(app, pass, check, payment))
      unanswered = isAnswered ? 0 : unanswered + 1
      await pass.checkpoint()
    }
  })
  return unanswered
}

async function paymentsOf(
  app: Deps,
  { run }: Pass,
  checks: PaymentToPoll[],
): Promise<Map<string, PaymentOfDay>> {
  const ofTenants = Map.groupBy(checks, ({ tenantId }) => tenantId)
  const found = new Map<string, PaymentOfDay>()
  for (const [tenantId, ofTenant] of ofTenants) {
    const ids = ofTenant.map(({ paymentId }) => paymentId)
    for (const each of await getPaymentsOfDay(app.db, dayOfRun(run), tenantId, ids)) found.set(each.id, each)
  }
  return found
}

/**
 * Sends the provider a status inquiry about a payment, outside any transaction. Stores the differences
 * between the payment and the response. Returns whether the provider responded.
 */
async function pollPayment(
  app: Deps,
  pass: Pass,
  check: PaymentToPoll,
  payment: PaymentOfDay,
): Promise<boolean> {
  const { limits, run } = pass
  await untilAllowed(app, pass, payment.accountId)
  const data = await inquireProviderData(app, payment, ms => limits.pause(payment.accountId, ms))
  if (data === 'no answer') return false
  if (data === 'not_reported') {
    await finishCheck(app.db, run, check, 'untold')
    return true
  }
  // The payment is read again before the comparison, because a callback may have changed it during the
  // inquiry.
  const now = await getPaymentsOfDay(app.db, dayOfRun(run), check.tenantId, [check.paymentId], 'now')
  const compared = now.map(each => ({ payment: each, data }))
  await storeFindings(app, run.day, compared, tx => finishCheck(tx, run, check, 'answered'))
  return true
}

async function untilAllowed(
  { accountOf }: Deps,
  { limits, checkpoint }: Pass,
  accountId: string,
): Promise<void> {
  // If the account cannot be loaded, no inquiry is sent, so the function does not wait for the rate limit.
  // `inquireProviderData` logs the error.
  const { provider, account } = (await accountOf(accountId).catch(() => undefined)) ?? {}
  if (!account) return
  while (limits.pausedUntil(accountId) || !limits.take(account, provider?.inquiryLimits, 'reconciliation')) {
    await pause(LIMITED_PAUSE_MS)
    await checkpoint()
  }
}
