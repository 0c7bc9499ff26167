// Sets up a merchant with several days of payments to reconcile. A test chooses how many workers run the daily
// reconciliation, and on which morning.

import type { App } from '../../src/app.ts'
import {
  listDifferences,
  type StoredReconciliationDifference,
} from '../../src/daily-reconciliation/difference.sql.ts'
import {
  type PassResult,
  type ReconciliationDeps,
  reconcileDueDay,
} from '../../src/daily-reconciliation/reconcile-due-day.ts'
import { listRuns, type ReconciliationRun } from '../../src/daily-reconciliation/run.sql.ts'
import { firstPage } from '../../src/db/list-order.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { inquiryLimits } from '../../src/provider-accounts/inquiry-limits.ts'
import { dayOf } from '../../src/values/day.ts'
import { type TestApp, testApp } from './app.ts'
import { asOwner } from './database.ts'
import { merchantOf, simulate } from './merchant.ts'
import { payAt } from './settlement.ts'

const DAY_MS = 86_400_000

export const today = dayOf(new Date())
/** Returns 07:00 in Jakarta, `days` days from today. */
export const morning = (days: number) => new Date(Date.parse(`${today}T07:00:00+07:00`) + days * DAY_MS)

type Created = { id: string; payment_code: string }

export type DailyShop = TestApp & {
  /** Creates a test payment. */
  create(): Promise<Created>
  /**
   * Creates test payments that are paid at the provider. No callbacks are sent, so Gapura does not know yet
   * that they are paid.
   */
  createPaidThere(count: number): Promise<Created[]>
  /** Records a payment as paid in Gapura, without changing the payment at the provider. */
  pay(payment: Created, amountPaid?: bigint): Promise<void>
  /** Runs one pass of the reconciliation that is due at the time `at`, by default tomorrow morning. */
  asWorker(
    changes?: Partial<ReconciliationDeps>,
    at?: Date,
    signal?: AbortSignal,
  ): Promise<PassResult | undefined>
  /** Runs all reconciliations that are due on the morning `days` days from today. */
  reconcile(days?: number): Promise<PassResult[]>
  /** Returns the open reconciliation differences as text, one line per difference. */
  open(): Promise<string[]>
  closed(): Promise<StoredReconciliationDifference[]>
  /** Returns the last reconciliation run for test payments. */
  run(): Promise<ReconciliationRun | undefined>
  /**
   * Deletes all reconciliation runs, so that every day counts as not reconciled. The differences found by these runs
   * remain.
   */
  forgetRuns(): Promise<void>
  /**
   * Changes a time in the reconciliation run to a past time. With `claimed_until`, the claim (a worker's
   * exclusive right to the run) then counts as expired. With `retry_at`, the next attempt then counts as due.
   */
  lapse(column: 'claimed_until' | 'retry_at'): Promise<void>
}

export async function dailyShop(): Promise<DailyShop> {
  const service = await testApp({ worker: false })
  const { app, demo } = service
  const merchant = merchantOf(demo)
  const asWorker: DailyShop['asWorker'] = (
    changes = {},
    at = morning(1),
    signal = new AbortController().signal,
  ) => reconcileDueDay({ ...app, clock: () => at, ...changes }, inquiryLimits(app.clock), signal)
  const listed = (isOpen: boolean) =>
    listDifferences(app.db, { isOpen, mode: null, paymentId: null }, firstPage(), 1_000)
  const create: DailyShop['create'] = async () => (await merchant.create()).data
  return {
    ...service,
    asWorker,
    create,
    async createPaidThere(count) {
      const payments = []
      for (let n = 0; n < count; n += 1) payments.push(await create())
      for (const payment of payments) await simulate(demo, payment, 'paid', { silently: true })
      return payments
    },
    pay({ id, payment_code: paymentCode }, amountPaid = 10_000_000n) {
      const payment = { tenantId: demo.client.tenant_id, id, paymentCode } as Payment
      return payAt(app, payment, new Date(), amountPaid)
    },
    async reconcile(days = 1) {
      const passes = []
      for (let pass = await asWorker({}, morning(days)); pass; pass = await asWorker({}, morning(days)))
        passes.push(pass)
      return passes
    },
    open: async () =>
      (await listed(true)).map(each => `${each.reference} ${each.between} ${each.kind}`).sort(),
    closed: () => listed(false),
    run: async () => (await listRuns(app.db, 'test', firstPage(), 1))[0],
    forgetRuns: () =>
      asOwner(app.db, async db => {
        await db.raw('delete from reconciliation_checks')
        await db.raw('delete from reconciliation_runs')
      }),
    lapse: column =>
      asOwner(app.db, owner =>
        owner.raw(`update reconciliation_runs set ?? = now() - interval '1 second' where ?? is not null`, [
          column,
          column,
        ]),
      ),
  }
}

/** Returns dependencies with which the reconciliation cannot reach any provider. */
export const providerAway = (app: App): Partial<ReconciliationDeps> => ({
  accountOf: async id => {
    const loaded = await app.accountOf(id)
    return loaded && { ...loaded, account: { ...loaded.account, baseUrl: 'http://127.0.0.1:9' } }
  },
})

/**
 * Returns `changes`, dependencies with which a reconciliation counts its status inquiries, and `asked`, a
 * function that returns this count.
 */
export function countingInquiries({ health }: App): {
  changes: Partial<ReconciliationDeps>
  asked: () => number
} {
  let asked = 0
  return {
    changes: {
      health: {
        ...health,
        monitor: (account, kind, work) => {
          asked += 1
          return health.monitor(account, kind, work)
        },
      },
    },
    asked: () => asked,
  }
}
