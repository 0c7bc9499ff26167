// Creates test data for the reconciliation of one day: payments that were paid on this day, and the
// provider's settlement file.

import type { App } from '../../src/app.ts'
import type { Demo } from '../../src/demo/demo.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from './app.ts'
import { asOwner } from './database.ts'
import { insertPendingPayment } from './make.ts'
import { type Answer, http, logIn } from './merchant.ts'

export type DayOfAccount = { date: string; accountId: string }

/** Returns noon in Jakarta on the given day. */
export const noonOf = (date: string): Date => new Date(`${date}T12:00:00+07:00`)

export async function newAccount(demo: Demo, owner: string, baseUrl?: string): Promise<string> {
  const { data } = await http('POST', `${demo.base_url}/v1/providers/midtrans/accounts`, {
    auth: owner,
    body: {
      mode: 'live',
      name: 'reconciled',
      credentials: { server_key: `k-${newId()}` },
      base_url: baseUrl,
    },
  })
  return data.id
}

export async function pendingAt(
  { db }: App,
  demo: Demo,
  { date, accountId }: DayOfAccount,
  overrides: Partial<Payment> = {},
): Promise<Payment> {
  const at = noonOf(date)
  return insertPendingPayment(db, {
    id: newIdAt(at),
    tenantId: demo.client.tenant_id,
    providerAccountId: accountId,
    createdAt: at,
    updatedAt: at,
    expiresAt: new Date(at.getTime() + 3_600_000),
    ...overrides,
  })
}

/** Returns a UUIDv7 that contains the given time. */
function newIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}

export async function payAt(
  { db }: App,
  payment: Payment,
  at: Date,
  amountPaid = payment.amount,
): Promise<void> {
  const { tenantId, id: paymentId, paymentCode: reference } = payment
  const event = { type: 'paid', amountPaid, paidAt: at, reference } as const
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], at))
  // Gives the ledger entry an ID that contains a time on the day to reconcile. The original ID contains the time of the
  // insertion.
  await byHand({ db }, [
    'update ledger_entries set id = ? where (tenant_id, payment_id) = (?, ?)',
    [newIdAt(at), tenantId, paymentId],
  ])
}

export const upload = (
  demo: Demo,
  auth: string,
  { date, accountId }: DayOfAccount,
  csv: string,
  contentType = 'text/csv',
): Promise<Answer> =>
  http('PUT', `${demo.base_url}/v1/providers/midtrans/accounts/${accountId}/settlements/${date}`, {
    auth,
    raw: csv,
    headers: { 'content-type': contentType },
  })

/**
 * Runs statements that the service has no right to run, by connecting with the database role that owns the tables
 * and disabling triggers.
 */
export async function byHand({ db }: Pick<App, 'db'>, ...statements: [string, unknown[]][]): Promise<void> {
  await asOwner(db, owner =>
    owner.transaction(async tx => {
      await tx.raw('grant delete, update on ledger_entries to current_user')
      for (const table of ['payments', 'ledger_entries', 'balances'])
        await tx.raw(`alter table ${table} disable trigger user`)
      for (const [sql, values] of statements) await tx.raw(sql, values as never)
      for (const table of ['payments', 'ledger_entries', 'balances'])
        await tx.raw(`alter table ${table} enable trigger user`)
    }),
  )
}

type Difference = { kind: string; between: string; reference: string }
const referenceOf = (of: Payment | string): string => (typeof of === 'string' ? of : of.paymentCode)

/** Returns one line of text per difference, sorted. The function `expected` returns lines in the same format. */
export const told = (differences: Difference[]): string[] =>
  differences.map(({ kind, between, reference }) => `${reference} ${between} ${kind}`).sort()
export const expected = (...pairs: [Payment | string, string][]): string[] =>
  pairs.map(([of, what]) => `${referenceOf(of)} ${what}`).sort()
export const refusal = ({ status, error }: Answer) => [status, error?.code]

export const csvOf = (...lines: [Payment | string, ...(number | string)[]][]): string =>
  `reference,amount,status\n${lines
    .map(([of, amount = 100_000, status = '']) => `${referenceOf(of)},${amount},${status}\n`)
    .join('')}`

/**
 * Starts the service and logs in users. The returned function `newDay` returns a day that no other test in
 * the file uses.
 */
export async function reconciling(): Promise<Reconciling> {
  const { app, demo } = await testApp({ worker: false })
  const [owner, partner, client, client2] = (await Promise.all(
    [demo.owner, demo.partner, demo.client, demo.client2].map(who => logIn(demo, who)),
  )) as [string, string, string, string]
  let days = 0
  const ask: Reconciling['ask'] = (query, auth = owner, accept) =>
    http('GET', `${demo.base_url}/v1/reports/reconciliation?${query}`, {
      auth,
      headers: accept ? { accept } : {},
    })
  return {
    ...{ app, demo, owner, partner, client, client2, ask },
    async newDay(baseUrl) {
      days += 1
      return {
        date: `2026-03-${String(days).padStart(2, '0')}`,
        accountId: await newAccount(demo, owner, baseUrl),
      }
    },
    async paid(day, overrides = {}) {
      const payment = await pendingAt(app, demo, day, overrides)
      await payAt(app, payment, noonOf(day.date))
      return payment
    },
    reconcile: async ({ date }, source = 'settlement', auth = owner) =>
      (await ask(`date=${date}&source=${source}`, auth)).data,
  }
}

export type Reconciling = Pick<TestApp, 'app' | 'demo'> & {
  owner: string
  partner: string
  client: string
  client2: string
  /** Returns a day and a new provider account for a reconciliation. No other test uses this account. */
  newDay(baseUrl?: string): Promise<DayOfAccount>
  paid(day: DayOfAccount, overrides?: Partial<Payment>): Promise<Payment>
  ask(query: string, auth?: string, accept?: string): Promise<Answer>
  reconcile(day: Pick<DayOfAccount, 'date'>, source?: string, auth?: string): Promise<Answer['data']>
}
