// One pass of a reconciliation run over the payments that need a status inquiry. Concurrency is limited per account
// and across accounts, and inquiries use only what the sweep leaves of a provider's rate limit. An account that does
// not respond is left for the next pass.

import { setTimeout as pause } from 'node:timers/promises'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { getPaymentsOfDay, type PaymentOfDay } from '../reports/payments-of-day.sql.ts'
import { askWord, type CanAsk, QUESTIONS_AT_ONCE } from '../reports/poll-providers.ts'
import type { Clock } from '../values/time.ts'
import { type Check, listWaitingAccounts, listWaitingChecks, settleCheck } from './check.sql.ts'
import { dayOfRun, keepFindings } from './compare-day.ts'
import type { ClaimedRun } from './run.sql.ts'

const ACCOUNTS_AT_ONCE = 4
/** The maximum number of inquiries about one account's payments before the next account has its turn. */
const PAGE = 200
/**
 * After this many unanswered inquiries in a row, the account is left for the next pass: its provider is unavailable or
 * rejects our credentials.
 */
const SILENT_AFTER = 32
/** The maximum duration of a pass. It is less than a day, so that the next day's run starts in time. */
const PASS_AT_MOST_MS = 6 * 3_600_000
/** The pause before the next inquiry about an account that has used up its share of the rate limit. */
const LIMITED_PAUSE_MS = 500

type Deps = CanAsk & { clock: Clock }

/**
 * The state that a pass shares with its inquiries. `goOn` is called after each inquiry and during each wait; it throws
 * if the pass must end.
 */
type Pass = { limits: InquiryLimits; run: ClaimedRun; goOn: () => Promise<void> }

export async function askAccounts(app: Deps, pass: Pass): Promise<void> {
  const endsAt = app.clock().getTime() + PASS_AT_MOST_MS
  const stoppable = stoppableByFailure(pass)
  const accounts = await listWaitingAccounts(app.db, pass.run)
  const turns = accounts.map(accountId => ({
    accountId,
    after: undefined as Check | undefined,
    unanswered: 0,
  }))
  await inLanes(stoppable, ACCOUNTS_AT_ONCE, async () => {
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      const checks = await listWaitingChecks(app.db, pass.run, turn.accountId, turn.after, PAGE)
      turn.unanswered = await askPage(app, stoppable, checks, turn.unanswered)
      turn.after = checks.at(-1)
      const goesOn = checks.length === PAGE && turn.unanswered < SILENT_AFTER
      if (goesOn && app.clock().getTime() < endsAt) turns.push(turn)
    }
  })
}

type Stoppable = Pass & { fail: (error: unknown) => void }

/**
 * Returns the pass with a shared failure: if one of the concurrent workers fails, the other workers end at their next
 * call of `goOn`.
 */
function stoppableByFailure(pass: Pass): Stoppable {
  let failed: { error: unknown } | undefined
  return {
    ...pass,
    async goOn() {
      if (failed) throw failed.error
      await pass.goOn()
    },
    fail(error) {
      failed ??= { error }
    },
  }
}

/**
 * Runs `count` concurrent workers. Resolves only after every worker has ended, so that no inquiry starts afterwards.
 */
async function inLanes({ fail }: Stoppable, count: number, lane: () => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: count }, () =>
    lane().catch(error => {
      fail(error)
      throw error
    }),
  )
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/**
 * Polls the provider about one page of payments. `unanswered` is the number of unanswered inquiries in a row before
 * this page. Returns that number after the page.
 */
async function askPage(app: Deps, pass: Stoppable, checks: Check[], unanswered: number): Promise<number> {
  const payments = await paymentsOf(app, pass, checks)
  const rest = checks.values()
  await inLanes(pass, Math.min(QUESTIONS_AT_ONCE, checks.length), async () => {
    for (const check of rest) {
      if (unanswered >= SILENT_AFTER) return
      const payment = payments.get(check.paymentId)
      const isAnswered = payment && (await askAbout(app, pass, check, payment))
      unanswered = isAnswered ? 0 : unanswered + 1
      await pass.goOn()
    }
  })
  return unanswered
}

async function paymentsOf(app: Deps, { run }: Pass, checks: Check[]): Promise<Map<string, PaymentOfDay>> {
  const ofTenants = Map.groupBy(checks, ({ tenantId }) => tenantId)
  const found = new Map<string, PaymentOfDay>()
  for (const [tenantId, ofTenant] of ofTenants) {
    const ids = ofTenant.map(({ paymentId }) => paymentId)
    for (const each of await getPaymentsOfDay(app.db, dayOfRun(run), tenantId, ids)) found.set(each.id, each)
  }
  return found
}

/** Polls the provider outside of any transaction and stores the findings. Returns whether the provider responded. */
async function askAbout(app: Deps, pass: Pass, check: Check, payment: PaymentOfDay): Promise<boolean> {
  const { limits, run } = pass
  await untilAllowed(app, pass, payment.accountId)
  const word = await askWord(app, payment, ms => limits.pause(payment.accountId, ms))
  if (word === 'no answer') return false
  if (word === 'untold') {
    await settleCheck(app.db, run, check, 'untold')
    return true
  }
  // The payment may have changed during the inquiry, for example by a callback. It is read again before it is compared.
  const now = await getPaymentsOfDay(app.db, dayOfRun(run), check.tenantId, [check.paymentId])
  const told = now.map(each => ({ payment: each, word }))
  await keepFindings(app, run.day, told, tx => settleCheck(tx, run, check, 'answered'))
  return true
}

async function untilAllowed({ accountOf }: Deps, { limits, goOn }: Pass, accountId: string): Promise<void> {
  const { provider, account } = (await accountOf(accountId)) ?? {}
  if (!account) return
  while (limits.pausedUntil(accountId) || !limits.take(account, provider?.inquiryLimits, 'reconciliation')) {
    await pause(LIMITED_PAUSE_MS)
    await goOn()
  }
}
