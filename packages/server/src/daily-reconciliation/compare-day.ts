// Compares a day's payments with the ledger and the settlements, without inquiries. Payments that no settlement
// covers are queued for an inquiry (poll-accounts.ts).

import type { Db, Tx } from '../db/db.ts'
import { settledWord } from '../reports/compare-payments.ts'
import { findingsOf, type Word } from '../reports/difference.ts'
import { viewDifference, viewLineOfNobody } from '../reports/difference-view.ts'
import {
  type Day,
  getPaymentsOfDay,
  listBusyTenants,
  type PaymentOfDay,
  reasons,
} from '../reports/payments-of-day.sql.ts'
import { linesOfNobody, paymentsOfDay } from '../reports/reconcile-on-request.ts'
import { listSettledAccounts, type SettledAccount } from '../settlements/settlement.sql.ts'
import { periodOfDays } from '../values/day.ts'
import { insertChecks } from './check.sql.ts'
import {
  closeAgreed,
  closeVanishedLines,
  keepDifferences,
  listOpenPayments,
  type OpenPayment,
} from './difference.sql.ts'
import type { ClaimedRun, Compared } from './run.sql.ts'

const PAGE = 2_000

type Deps = { db: Db }

export const dayOfRun = ({ day, mode }: Pick<ClaimedRun, 'day' | 'mode'>): Day => ({
  viewer: null,
  mode,
  date: day,
  period: periodOfDays(day, day),
})

/**
 * Compares all payments of the run's day. `onPage` is called after each page and throws if another process has taken
 * over the run.
 */
export async function compareDay(app: Deps, run: ClaimedRun, onPage: () => Promise<void>): Promise<Compared> {
  const compared: Compared = { settlement: 0, unknownLines: 0 }
  const day = dayOfRun(run)
  const settled = await listSettledAccounts(app.db, day.date, day.mode)
  const wordOf = settledWordOf(settled)
  for (const busy of await listBusyTenants(app.db, day, reasons))
    for (const reason of reasons.filter(reason => (busy[reason] ?? 0n) > 0n))
      for await (const payments of paymentsOfDay(app, day, busy.tenantId, reason)) {
        const told = payments.map(payment => ({ payment, word: wordOf(payment) }))
        compared.settlement += told.filter(({ word }) => word).length
        await keepFindings(app, run.day, told)
        await insertChecks(app.db, run, told.filter(({ word }) => !word).map(checkOf))
        await onPage()
      }
  for await (const lines of linesOfNobody(app, settled)) {
    const found = lines.map(([line, account]) => viewLineOfNobody(line, account))
    await keepDifferences(app.db, run.day, found)
    compared.unknownLines += lines.length
    await onPage()
  }
  await lookAgain(app, run, onPage)
  return compared
}

type Told = { payment: PaymentOfDay; word: Word | undefined }

const checkOf = ({ payment: { tenantId, id, accountId } }: Told) => ({ tenantId, paymentId: id, accountId })

const settledWordOf = (settled: SettledAccount[]) => {
  const accounts = new Set(settled.map(({ accountId }) => accountId))
  return (payment: PaymentOfDay) => settledWord({ usesSettlements: true, settled: accounts }, payment)
}

/**
 * Stores the differences that were found and closes the payments' other open differences, in one transaction. `day` is
 * the day of the run that finds the differences first.
 */
export async function keepFindings(
  app: Deps,
  day: string,
  told: Told[],
  besides: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const found = told.flatMap(({ payment, word }) =>
    findingsOf(payment, word).map(finding => viewDifference(payment, word, finding)),
  )
  const judged = told.map(({ payment: { tenantId, id }, word }) => ({
    tenantId,
    paymentId: id,
    source: word?.source ?? null,
  }))
  await app.db.transaction(async tx => {
    await keepDifferences(tx, day, found)
    await closeAgreed(tx, judged, found)
    await besides(tx)
  })
}

/**
 * Compares payments with open differences from earlier runs again, using the same source of the provider's data: a new
 * inquiry, or the settlement of the payment's day. Money returned since that day is included.
 */
async function lookAgain(app: Deps, run: ClaimedRun, onPage: () => Promise<void>): Promise<void> {
  const until = dayOfRun(run)
  for (let after: OpenPayment | undefined; ; ) {
    const open = await listOpenPayments(app.db, run, after, PAGE)
    for (const [key, ofDay] of Map.groupBy(open, each => `${each.day} ${each.tenantId}`)) {
      const [day = '', tenantId = ''] = key.split(' ')
      const settledWord = settledWordOf(await listSettledAccounts(app.db, day, run.mode))
      const ids = [...new Set(ofDay.map(({ paymentId }) => paymentId))]
      const payments = await getPaymentsOfDay(app.db, dayOfRun({ ...run, day }), tenantId, ids, until)
      const asked = new Set(
        ofDay.filter(({ source }) => source === 'inquiry').map(({ paymentId }) => paymentId),
      )
      const told = payments.map(payment => ({ payment, word: settledWord(payment) }))
      await keepFindings(
        app,
        day,
        told.filter(({ payment }) =>
          ofDay.some(each => each.paymentId === payment.id && each.source !== 'inquiry'),
        ),
      )
      await insertChecks(app.db, run, told.filter(({ payment }) => asked.has(payment.id)).map(checkOf))
    }
    await onPage()
    if (open.length < PAGE) break
    after = open.at(-1)
  }
  await closeVanishedLines(app.db, run.mode)
}
