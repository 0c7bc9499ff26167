// A pass of a run over the payments that only their provider can tell about. Questions are bounded: so many at a time of an
// account, so many accounts at a time, none beyond what the sweep leaves of a provider's limit. An account that does not
// answer is left for the next pass.

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { askWord, type CanAsk, QUESTIONS_AT_ONCE } from '../reports/ask-providers.ts'
import { getPaymentsOfDay, type PaymentOfDay } from '../reports/reconciliation.sql.ts'
import { type Check, listWaitingAccounts, listWaitingChecks, settleCheck } from './check.sql.ts'
import { dayOfRun, keepFindings } from './compare-day.ts'
import type { ClaimedRun } from './run.sql.ts'

const ACCOUNTS_AT_ONCE = 4
/** Of one account before it is another's turn. */
const PAGE = 200
/** So many in a row unanswered: the provider is away, or does not let us in. */
const SILENT_AFTER = 32
/** Less than a day, so that the next run begins in time. */
const PASS_AT_MOST_MS = 6 * 3_600_000
/** Until an account that has used its share of a provider's limit is tried again. */
const LIMITED_PAUSE_MS = 500

type Deps = CanAsk & Pick<App, 'clock'>

/** What a pass shares. goOn: after each answer, or none, and while there is nothing but waiting; throws where the pass is over. */
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

/** What one lane throws ends the others at their next step. */
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

/** Ends when every lane has ended, so that nothing is asked afterwards. */
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

/** unanswered: so many in a row before this page. Returns how many now. */
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

/** Asks, outside any transaction, and keeps what follows. Whether there was an answer. */
async function askAbout(app: Deps, pass: Pass, check: Check, payment: PaymentOfDay): Promise<boolean> {
  const { limits, run } = pass
  await untilAllowed(app, pass, payment.accountId)
  const word = await askWord(app, payment, ms => limits.pause(payment.accountId, ms))
  if (word === 'no answer') return false
  if (word === 'untold') {
    await settleCheck(app.db, run, check, 'untold')
    return true
  }
  // Its callback may have come while the provider was asked.
  const now = await getPaymentsOfDay(app.db, dayOfRun(run), check.tenantId, [check.paymentId])
  const told = now.map(each => ({ payment: each, word }))
  await keepFindings(app, run.day, told, tx => settleCheck(tx, run, check, 'answered'))
  return true
}

async function untilAllowed({ accountOf }: Deps, { limits, goOn }: Pass, accountId: string): Promise<void> {
  const { provider, account } = (await accountOf(accountId)) ?? {}
  if (!account) return
  while (limits.pausedUntil(accountId) || !limits.take(account, provider?.inquiries, 'reconciliation')) {
    await pause(LIMITED_PAUSE_MS)
    await goOn()
  }
}
