// Compares a day's payments with the ledger and with uploaded settlements, without polling providers. If no uploaded
// settlement covers a payment, the payment is queued for a status inquiry (poll-accounts.ts).

import type { Db, Tx } from '../db/db.ts'
import { settlementDataOf } from '../reports/compare-payments.ts'
import { findDifferences, type ProviderData } from '../reports/difference.ts'
import { viewDifference, viewUnmatchedLine } from '../reports/difference-view.ts'
import {
  type DayQuery,
  getPaymentsOfDay,
  inclusionReasons,
  listActiveTenants,
  type PaymentOfDay,
} from '../reports/payments-of-day.sql.ts'
import { paymentsOfDay, unmatchedLines } from '../reports/reconcile-on-request.ts'
import { listSettledAccounts, type SettledAccount } from '../settlements/settlement.sql.ts'
import { periodOfDays } from '../values/day.ts'
import { insertChecks } from './check.sql.ts'
import {
  closeResolvedDifferences,
  closeVanishedLines,
  listOpenPayments,
  type OpenPayment,
  storeReconciliationDifferences,
} from './difference.sql.ts'
import type { ClaimedRun, ComparedCounts } from './run.sql.ts'

const PAGE = 2_000

type Deps = { db: Db }

export const dayOfRun = ({ day, mode }: Pick<ClaimedRun, 'day' | 'mode'>): DayQuery => ({
  viewer: null,
  mode,
  date: day,
  period: periodOfDays(day, day),
})

/**
 * Compares all payments from the reconciliation run's day. Calls `onPage` after each page of payments. `onPage`
 * throws an error if another process has taken over the run.
 */
export async function compareDay(
  app: Deps,
  run: ClaimedRun,
  onPage: () => Promise<void>,
): Promise<ComparedCounts> {
  const counts: ComparedCounts = { settlement: 0, unknownLines: 0 }
  const day = dayOfRun(run)
  const settled = await listSettledAccounts(app.db, day.date, day.mode)
  const dataOf = settlementLookup(settled)
  for (const busy of await listActiveTenants(app.db, day, inclusionReasons))
    for (const reason of inclusionReasons.filter(reason => (busy[reason] ?? 0n) > 0n))
      for await (const payments of paymentsOfDay(app, day, busy.tenantId, reason)) {
        const compared = payments.map(payment => ({ payment, data: dataOf(payment) }))
        counts.settlement += compared.filter(({ data }) => data).length
        await storeFindings(app, run.day, compared)
        await insertChecks(app.db, run, compared.filter(({ data }) => !data).map(checkOf))
        await onPage()
      }
  for await (const lines of unmatchedLines(app, settled)) {
    const found = lines.map(([line, account]) => viewUnmatchedLine(line, account))
    await storeReconciliationDifferences(app.db, run.day, found)
    counts.unknownLines += lines.length
    await onPage()
  }
  await recheckOpenDifferences(app, run, onPage)
  return counts
}

type ComparedData = { payment: PaymentOfDay; data: ProviderData | undefined }

const checkOf = ({ payment: { tenantId, id, accountId } }: ComparedData) => ({
  tenantId,
  paymentId: id,
  accountId,
})

const settlementLookup = (settled: SettledAccount[]) => {
  const accounts = new Set(settled.map(({ accountId }) => accountId))
  return (payment: PaymentOfDay) => settlementDataOf({ usesSettlements: true, settled: accounts }, payment)
}

/**
 * Stores the differences found in the compared payments. `day` is the reconciled day that is stored with new
 * differences. In the same transaction, closes the payments' open differences that were not found again.
 */
export async function storeFindings(
  app: Deps,
  day: string,
  compared: ComparedData[],
  inSameTransaction: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const found = compared.flatMap(({ payment, data }) =>
    findDifferences(payment, data).map(finding => viewDifference(payment, data, finding)),
  )
  const comparedPayments = compared.map(({ payment: { tenantId, id }, data }) => ({
    tenantId,
    paymentId: id,
    source: data?.source ?? null,
  }))
  await app.db.transaction(async tx => {
    await storeReconciliationDifferences(tx, day, found)
    await closeResolvedDifferences(tx, comparedPayments, found)
    await inSameTransaction(tx)
  })
}

/**
 * Compares the payments with open differences from earlier runs. The provider's data is from the same kind of source as
 * in the earlier run: a new status inquiry, or the settlement for the payment's day. The comparison also includes money
 * that was returned after that day.
 */
async function recheckOpenDifferences(
  app: Deps,
  run: ClaimedRun,
  onPage: () => Promise<void>,
): Promise<void> {
  const until = dayOfRun(run)
  for (let after: OpenPayment | undefined; ; ) {
    const open = await listOpenPayments(app.db, run, after, PAGE)
    for (const [key, ofDay] of Map.groupBy(open, each => `${each.day} ${each.tenantId}`)) {
      const [day = '', tenantId = ''] = key.split(' ')
      const dataFor = settlementLookup(await listSettledAccounts(app.db, day, run.mode))
      const ids = [...new Set(ofDay.map(({ paymentId }) => paymentId))]
      const payments = await getPaymentsOfDay(app.db, dayOfRun({ ...run, day }), tenantId, ids, until)
      const inquired = new Set(
        ofDay.filter(({ source }) => source === 'inquiry').map(({ paymentId }) => paymentId),
      )
      const compared = payments.map(payment => ({ payment, data: dataFor(payment) }))
      await storeFindings(
        app,
        day,
        compared.filter(({ payment }) =>
          ofDay.some(each => each.paymentId === payment.id && each.source !== 'inquiry'),
        ),
      )
      await insertChecks(app.db, run, compared.filter(({ payment }) => inquired.has(payment.id)).map(checkOf))
    }
    await onPage()
    if (open.length < PAGE) break
    after = open.at(-1)
  }
  await closeVanishedLines(app.db, run.mode)
}
