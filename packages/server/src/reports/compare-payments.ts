import { setTimeout as pause } from 'node:timers/promises'
import { type Mode, modes } from '../values/mode.ts'
import { type DifferenceKind, differenceKinds, findDifferences, type ProviderData } from './difference.ts'
import { viewDifference } from './difference-view.ts'
import { type DayQuery, getPaymentsOfDay, type PaymentOfDay } from './payments-of-day.sql.ts'
import { type PollDeps, pollProviders } from './poll-providers.ts'
import type { DifferenceView, SummaryView } from './reconciliation-report.ts'

/**
 * How often the service sends progress to the client. Without progress, clients and proxies could time out while status
 * inquiries are running.
 */
const HEARTBEAT_MS = 2_000

export type Comparison = {
  day: DayQuery
  usesSettlements: boolean
  /** The ids of the provider accounts whose settlement for the day was uploaded. */
  settled: ReadonlySet<string>
  /** Whether to send status inquiries about payments not covered by any uploaded settlement. */
  pollsProviders: boolean
  /** The results of the comparison so far, for each requested mode. */
  tallies: ReadonlyMap<Mode, Tally>
}

type Tally = Pick<SummaryView, 'compared' | 'counts'>

export const newComparison = (
  about: Pick<Comparison, 'day' | 'usesSettlements' | 'settled' | 'pollsProviders'>,
): Comparison => ({
  ...about,
  tallies: new Map(
    modes.filter(mode => about.day.mode === null || about.day.mode === mode).map(mode => [mode, newTally()]),
  ),
})

const newTally = (): Tally => ({
  compared: { settlement: 0, inquiry: 0, unanswered: 0, books: 0, unknown_lines: 0 },
  counts: Object.fromEntries(differenceKinds.map(kind => [kind, 0])) as Record<DifferenceKind, number>,
})

/**
 * Returns the results that the comparison has so far for the payment's mode (live or test). These results always exist,
 * because only payments in the requested modes are read.
 */
export const tallyOf = ({ tallies }: Comparison, { mode }: { mode: Mode }): Tally =>
  tallies.get(mode) as Tally

export function sumTallies({ tallies }: Comparison): Tally {
  const sum = newTally()
  for (const { compared, counts } of tallies.values()) {
    add(sum.compared, compared)
    add(sum.counts, counts)
  }
  return sum
}

function add<Key extends string>(to: Record<Key, number>, what: Record<Key, number>): void {
  for (const key of Object.keys(to) as Key[]) to[key] += what[key]
}

/**
 * Compares each payment with its settlement, its book entries or its provider's status, and yields each
 * difference as soon as it is found. During status inquiries, also yields undefined from time to time, so
 * that the caller can send progress to the client.
 */
export async function* comparePayments(
  app: PollDeps,
  comparison: Comparison,
  payments: PaymentOfDay[],
): AsyncGenerator<DifferenceView | undefined> {
  const toPoll: PaymentOfDay[] = []
  for (const payment of payments) {
    const data = settlementDataOf(comparison, payment)
    if (data === undefined && comparison.pollsProviders) toPoll.push(payment)
    else {
      tallyOf(comparison, payment).compared[data ? 'settlement' : 'books'] += 1
      yield* differencesOf(payment, data)
    }
  }
  if (toPoll.length === 0) return

  const found: DifferenceView[] = []
  let isAborted = false
  const polling = pollProviders(
    app,
    toPoll,
    async (payment, data) => {
      tallyOf(comparison, payment).compared[data ? 'inquiry' : 'unanswered'] += 1
      found.push(...(await differencesAfterInquiry(app, comparison, payment, data)))
    },
    () => isAborted,
  ).then(() => 'ended')
  try {
    for (let ended: string | undefined; ended === undefined; ) {
      ended = await Promise.race([polling, pause(HEARTBEAT_MS, undefined, { ref: false })])
      yield* found.splice(0)
      yield undefined
    }
  } finally {
    // If the caller has stopped reading, no further inquiry is started, and the results of inquiries in
    // flight are ignored.
    isAborted = true
    polling.catch(() => {})
  }
}

const differencesOf = (payment: PaymentOfDay, data: ProviderData | undefined): DifferenceView[] =>
  findDifferences(payment, data).map(finding => viewDifference(payment, data, finding))

/**
 * Returns the differences between a payment, its ledger entries and the provider's data after a status inquiry. Before
 * reporting a difference, reads the payment again, because a callback may have changed it during the inquiry.
 */
async function differencesAfterInquiry(
  app: PollDeps,
  { day }: Comparison,
  payment: PaymentOfDay,
  data: ProviderData | undefined,
): Promise<DifferenceView[]> {
  if (findDifferences(payment, data).length === 0) return []
  const [now] = await getPaymentsOfDay(app.db, day, payment.tenantId, [payment.id], 'now')
  return differencesOf(now ?? payment, data)
}

/**
 * Returns what settlements contain about a payment, or undefined if no settlement contains it. Settlements for
 * all days count, because a payment made around midnight may be in another day's settlement.
 */
export function settlementDataOf(
  { usesSettlements, settled }: Pick<Comparison, 'usesSettlements' | 'settled'>,
  { accountId, lineAccountId, lines, paidTimes, paid, returned }: PaymentOfDay,
): ProviderData | undefined {
  if (!usesSettlements) return undefined
  const settlesDay = settled.has(lineAccountId ?? accountId)
  if (lines === 0n && !settlesDay) return undefined
  return { source: 'settlement', lines: { paidTimes, paid, returned }, settlesDay }
}
