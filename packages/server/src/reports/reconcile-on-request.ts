// Compares a day's payments with the ledger and the providers' data when a user requests it. Rows are read page by
// page, and each difference is yielded immediately. Memory usage therefore does not grow with the number of payments.

import { listSettledAccounts, type SettledAccount } from '../settlements/settlement.sql.ts'
import { type Comparison, comparePayments, newComparison, sumTallies, tallyOf } from './compare-payments.ts'
import { viewBooks, viewUnmatchedLine } from './difference-view.ts'
import {
  countUnmatchedLines,
  type DayQuery,
  getPaymentsOfDay,
  type InclusionReason,
  inclusionReasons,
  listActiveTenants,
  listPaymentsOfDay,
  listUnmatchedLines,
  type PagePosition,
  type PaymentOfDay,
  sumBooks,
  type UnmatchedLine,
} from './payments-of-day.sql.ts'
import type { PollDeps } from './poll-providers.ts'
import type { ReconciliationLine, ReconciliationSource } from './reconciliation-report.ts'

const PAGE = 2_000

/**
 * A request to reconcile one day. Providers are polled, and settlement lines without a payment are included, only if
 * `isOwner` is true.
 */
export type ReconciliationRequest = DayQuery & { source: ReconciliationSource; isOwner: boolean }

export async function* reconcileOnRequest(
  app: PollDeps,
  { source, isOwner, ...day }: ReconciliationRequest,
): AsyncGenerator<ReconciliationLine> {
  const usesSettlements = source === 'auto' || source === 'settlement'
  const pollsProviders = isOwner && (source === 'auto' || source === 'inquiry')
  const settled = usesSettlements ? await listSettledAccounts(app.db, day.date, day.mode) : []
  const comparison = newComparison({
    day,
    usesSettlements,
    pollsProviders,
    settled: new Set(settled.map(each => each.accountId)),
  })
  // A payment with the reason `created` was created on the day, but not paid, posted or settled. Only a status inquiry
  // can find a difference in it, so it is left out if no inquiries are sent.
  const included = inclusionReasons.filter(
    reason => (reason !== 'settled' || usesSettlements) && (reason !== 'created' || pollsProviders),
  )
  const tenants = await listActiveTenants(app.db, day, included)
  const forOwner = isOwner ? settled : []
  const sizes = tenants.flatMap(busy => included.map(reason => Number(busy[reason] ?? 0)))
  const total =
    sizes.reduce((sum, size) => sum + size, 0) +
    (await countUnmatchedLines(
      app.db,
      forOwner.map(each => each.settlementId),
    ))
  // Payments created during the reconciliation are also compared, so the progress value `done` may exceed the
  // total counted at the start.
  const progress = (): ReconciliationLine => {
    const done = Object.values(sumTallies(comparison).compared).reduce((sum, number) => sum + number, 0)
    return { type: 'progress', done, total: Math.max(done, total) }
  }
  yield progress()
  for (const busy of tenants)
    for (const reason of included.filter(reason => (busy[reason] ?? 0n) > 0n))
      for await (const payments of paymentsOfDay(app, day, busy.tenantId, reason)) {
        for await (const difference of comparePayments(app, comparison, payments))
          yield difference ? counted(comparison, difference) : progress()
        yield progress()
      }
  for await (const lines of unmatchedLines(app, forOwner)) {
    for (const [line, account] of lines) {
      yield counted(comparison, viewUnmatchedLine(line, account))
      tallyOf(comparison, account).compared.unknown_lines += 1
    }
    yield progress()
  }
  const { compared, counts } = sumTallies(comparison)
  const by_mode = [...comparison.tallies].map(([mode, tally]) => ({ mode, ...tally }))
  const items = viewBooks(await sumBooks(app.db, day))
  const balanced = Object.values(counts).every(number => number === 0)
  yield { type: 'summary', date: day.date, source, items, compared, counts, by_mode, balanced }
}

type DifferenceLine = Extract<ReconciliationLine, { type: 'difference' }>

function counted(comparison: Comparison, difference: Omit<DifferenceLine, 'type'>): DifferenceLine {
  tallyOf(comparison, difference).counts[difference.kind] += 1
  return { type: 'difference', ...difference }
}

/**
 * Yields, page by page, the payments that the day's reconciliation includes for the given reason. For
 * example, the reason `paid` selects the payments that were paid on this day.
 */
export async function* paymentsOfDay(
  { db }: Pick<PollDeps, 'db'>,
  day: DayQuery,
  tenantId: string,
  reason: InclusionReason,
): AsyncGenerator<PaymentOfDay[]> {
  for (let after: PagePosition | undefined; ; ) {
    const page = await listPaymentsOfDay(db, day, tenantId, reason, after, PAGE)
    if (page.length > 0)
      yield await getPaymentsOfDay(
        db,
        day,
        tenantId,
        page.map(({ id }) => id),
      )
    if (page.length < PAGE) return
    after = page.at(-1)
  }
}

export async function* unmatchedLines(
  { db }: Pick<PollDeps, 'db'>,
  settled: SettledAccount[],
): AsyncGenerator<[UnmatchedLine, SettledAccount][]> {
  const accounts = new Map(settled.map(account => [account.settlementId, account]))
  if (accounts.size === 0) return
  for (let after: UnmatchedLine | undefined; ; ) {
    const lines = await listUnmatchedLines(db, [...accounts.keys()], after, PAGE)
    if (lines.length === 0) return
    yield lines.flatMap(line => {
      const account = accounts.get(line.settlementId)
      return account ? [[line, account] as [UnmatchedLine, SettledAccount]] : []
    })
    if (lines.length < PAGE) return
    after = lines.at(-1)
  }
}
