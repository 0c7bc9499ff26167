// Compares all documents about fees, as an accountant would. The fee report, the monthly statements, the ledgers and
// the books must agree to the cent. The payments, refunds and chargebacks are random and take place at the borders of a
// month.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditPartnerMargins } from '../../src/fees/credit-partner-margins.ts'
import { accountIdOf } from '../../src/ledger/account.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import type { MoneyReturn } from '../../src/providers/provider.ts'
import { dayOf } from '../../src/values/day.ts'
import { type Mode, modes } from '../../src/values/mode.ts'
import { testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { insertPendingPayment } from '../support/make.ts'
import { type Call, managersOf, newTenant } from '../support/management-api.ts'
import { randomRuns } from '../support/random-runs.ts'

const { app, demo } = await testApp({ worker: false })
const { owner } = await managersOf(demo)

/**
 * The test's times: the first and last instants of November in Jakarta, the instants when a month begins in UTC, and a
 * time in between.
 */
const times = [
  '2026-10-31T23:59:59.999+07:00',
  '2026-11-01T00:00:00.000+07:00',
  '2026-11-01T06:59:59.999+07:00',
  '2026-11-01T07:00:00.000+07:00',
  '2026-11-15T12:00:00.000+07:00',
  '2026-11-30T23:59:59.999+07:00',
  '2026-12-01T00:00:00.000+07:00',
  '2026-12-01T06:59:59.999+07:00',
  '2026-12-01T07:00:00.000+07:00',
].map(time => new Date(time))
const months = [
  { month: '2026-10', last: '2026-10-31' },
  { month: '2026-11', last: '2026-11-30' },
  { month: '2026-12', last: '2026-12-31' },
]
const channels = [
  { methodType: 'virtual_account', methodDetail: { type: 'virtual_account', bank: 'BCA' }, channel: 'bca' },
  { methodType: 'virtual_account', methodDetail: { type: 'virtual_account', bank: 'BNI' }, channel: 'bni' },
  { methodType: 'qris', methodDetail: { type: 'qris' }, channel: 'qris' },
] as const

const term = fc.record({
  version: fc.constant(1),
  refund_fees: fc.boolean(),
  percent_bps: fc.constantFrom(0, 33, 70, 10_000),
  fixed: fc.constantFrom(0, 1, 333, 400_000),
  min: fc.constant(null),
  max: fc.constant(null),
  tax_bps: fc.constantFrom(0, 1_100, 1_199),
})
const money = fc.record({
  client: fc.constantFrom(0, 1),
  mode: fc.constantFrom<Mode>('live', 'live', 'test'),
  channel: fc.constantFrom(...channels),
  paidAt: fc.nat({ max: times.length - 1 }),
  amount: fc.oneof(fc.bigInt({ min: 1n, max: 500n }), fc.bigInt({ min: 1n, max: 20_000_000n })),
  feeTerms: fc.record({ operator: fc.option(term), partner: fc.option(term) }),
  returns: fc.array(
    fc.record({
      kind: fc.constantFrom<MoneyReturn['kind']>('refund', 'refund', 'chargeback'),
      percent: fc.constantFrom(1n, 33n, 50n, 100n),
      at: fc.nat({ max: times.length - 1 }),
      /**
       * The later correction of a refund or chargeback: the provider reports another amount, or reports that
       * the refund or chargeback failed.
       */
      corrected: fc.option(
        fc.record({ at: fc.nat({ max: times.length - 1 }), percent: fc.constantFrom(10n, 66n, null) }),
        { freq: 2 },
      ),
    }),
    { maxLength: 3 },
  ),
})
type Money = typeof money extends fc.Arbitrary<infer Of> ? Of : never
type Action = { at: number; run: () => Promise<unknown> }

/**
 * Creates a payment and returns its actions: the credit, the refunds and chargebacks, and the corrections and
 * failures of these refunds and chargebacks.
 */
async function actionsOf(tenantIds: string[], { client, mode, channel, ...of }: Money): Promise<Action[]> {
  const tenantId = tenantIds[client] as string
  const fields = { tenantId, mode, ...channel, amount: of.amount, feeTerms: of.feeTerms }
  const { id: paymentId, paymentCode: reference } = await insertPendingPayment(app.db, fields as never)
  const record = (at: number, report: object) => ({
    at,
    run: () =>
      app.db.transaction(tx =>
        recordEvents(tx, [{ tenantId, paymentId, cause: 'callback', ...report } as never], times[at] as Date),
      ),
  })
  const paid = { type: 'paid', amountPaid: of.amount, paidAt: times[of.paidAt], reference }
  const returned = of.returns.flatMap(({ kind, percent, at, corrected }, n) => {
    const report = (of: bigint, status: MoneyReturn['status']) => ({
      event: () => undefined,
      reportedReturns: { reference, returns: [{ kind, id: `r${n}`, amount: of, status }] },
    })
    const part = (of100: bigint) => (of.amount * of100 + 99n) / 100n
    const first = Math.max(at, of.paidAt)
    return [
      record(first, report(part(percent), 'succeeded')),
      ...(corrected === null
        ? []
        : [
            record(
              Math.max(corrected.at, first),
              corrected.percent === null
                ? report(part(percent), 'failed')
                : report(part(corrected.percent), 'succeeded'),
            ),
          ]),
    ]
  })
  return [record(of.paidAt, { event: paid }), ...returned]
}

type Entry = { created_at: string; reason: string; amount: number; entry_type: string; balance_after: number }
const signed = ({ entry_type, amount }: Entry) => (entry_type === 'credit' ? amount : -amount)
const sum = <Item>(items: Item[], of: (item: Item) => number) =>
  items.reduce((total, each) => total + of(each), 0)

async function get(call: Call, path: string) {
  const { status, data, error } = await call('GET', path)
  expect([status, error], path).toEqual([200, undefined])
  return data
}
async function entriesOf(call: Call, mode: Mode): Promise<Entry[]> {
  const { items, next_cursor } = await get(call, `/v1/account/ledger?mode=${mode}&limit=100`)
  expect(next_cursor).toBeNull()
  return items
}
const within = (month: string) => (entry: Entry) => dayOf(new Date(entry.created_at)).startsWith(month)
const balancesOf = (tenantIds: string[], mode: Mode, account: 'fee:operator' | 'fee:partner') =>
  asOwner(app.db, async db => {
    const { rows } = await db.raw(
      `select coalesce(sum(balance), 0)::float8 as balance from book_accounts
       where tenant_id = any(?) and mode = ? and account_id = ?`,
      [tenantIds, mode, accountIdOf(account)],
    )
    return rows[0].balance as number
  })

test('the fee report, the monthly statements, the ledgers and the double-entry accounts contain the same fees and margins', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(money, { minLength: 4, maxLength: 16 }), async payments => {
      const partner = await newTenant(app, demo, 'partner')
      const clients = [
        await newTenant(app, demo, 'client', partner.id),
        await newTenant(app, demo, 'client', partner.id),
      ]
      const ids = clients.map(({ id }) => id)
      const actions = (await Promise.all(payments.map(each => actionsOf(ids, each)))).flat()
      for (const [at, time] of times.entries()) {
        for (const action of actions.filter(each => each.at === at)) await action.run()
        // The Partner's margins are credited only at some of these times, and never at the last instant of a
        // month.
        if (at % 3 === 1) await creditPartnerMargins({ db: app.db, clock: () => time })
      }

      for (const mode of modes) {
        const ledgers = await Promise.all(clients.map(({ call }) => entriesOf(call, mode)))
        const credits = await entriesOf(partner.call, mode)
        let uncredited = 0
        for (const { month, last } of months) {
          const report = (call: Call, by: string) =>
            get(call, `/v1/reports/fees?from=${month}-01&to=${last}&mode=${mode}&group_by=${by}`)
          const byTenant = (await report(partner.call, 'tenant')).items
          const ofOwner = (await report(owner, 'tenant')).items
          for (const [index, { id, call }] of clients.entries()) {
            const where = `${month} ${mode} client ${index}`
            const statement = await get(call, `/v1/account/fee-statement?month=${month}&mode=${mode}`)
            const { net, tax, total, count } = statement
            const fees = (ledgers[index] as Entry[])
              .filter(within(month))
              .filter(({ reason }) => reason.startsWith('fee'))
            expect(
              sum(fees, each => -signed(each)),
              where,
            ).toBe(total)
            expect(net + tax, where).toBe(total)
            for (const by of ['', 'day', 'channel', 'day,method_type,channel']) {
              const { items } = await report(call, by)
              const sums = ['count', 'net', 'tax', 'fee'].map(of => sum(items, (row: never) => row[of]))
              expect(sums, `${where} by ${by}`).toEqual([count, net, tax, total])
            }
            const { items } = await report(call, 'method_type,channel')
            expect(
              statement.items.map(({ total: fee, ...row }: { total: number }) => ({ ...row, fee })),
              where,
            ).toEqual(items)
            const row = byTenant.find(({ tenant }: { tenant: string }) => tenant === id)
            if (row) expect(row, where).toMatchObject({ count, net, tax, fee: total })
            else expect(total, where).toBe(0)
            expect(ofOwner.find(({ tenant }: { tenant: string }) => tenant === id)).toEqual(row)
            expect(
              await get(partner.call, `/v1/tenants/${id}/fee-statement?month=${month}&mode=${mode}`),
            ).toEqual(statement)
          }
          const { margins } = await get(partner.call, `/v1/account/fee-statement?month=${month}&mode=${mode}`)
          const where = `${month} ${mode} partner`
          for (const { tenant, partner_margin } of byTenant)
            expect(
              sum(
                margins.items.filter(({ tenant_id }: { tenant_id: string }) => tenant_id === tenant),
                (item: { total: number }) => item.total,
              ),
              where,
            ).toBe(partner_margin)
          expect(
            sum(byTenant, (row: { partner_margin: number }) => row.partner_margin),
            where,
          ).toBe(margins.total)
          expect(margins.net + margins.tax, where).toBe(margins.total)
          expect(margins.credited, where).toBe(sum(credits.filter(within(month)), signed))
          expect(margins.credits, where).toBe(credits.filter(within(month)).length)
          expect(margins.uncredited_before, where).toBe(uncredited)
          uncredited += margins.total - margins.credited
          expect(margins.uncredited_after, where).toBe(uncredited)
        }
        expect(await balancesOf(ids, mode, 'fee:partner')).toBe(uncredited)
        const all = await get(
          partner.call,
          `/v1/reports/fees?from=2026-10-01&to=2026-12-31&mode=${mode}&group_by=tenant`,
        )
        expect(sum(all.items, (row: { operator_fee: number }) => row.operator_fee)).toBe(
          await balancesOf(ids, mode, 'fee:operator'),
        )
      }
    }),
    // The test ends at the first failure. The search for a smaller counterexample would take minutes, because
    // each run creates and logs in users.
    { numRuns: randomRuns(40), endOnFailure: true },
  )
})
