// A day is reconciled the morning after, by whichever worker is first, and what differs waits for the Owner.

import { describe, expect, test } from 'vitest'
import { dayOf, daysBefore } from '../../src/day.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { inquiryLimits } from '../../src/provider-accounts/inquiry-limits.ts'
import { listDifferences } from '../../src/reconciliation/difference.sql.ts'
import { type Deps, reconcileDueDay } from '../../src/reconciliation/reconcile-due-day.ts'
import { listRuns } from '../../src/reconciliation/run.sql.ts'
import { tellOwner } from '../../src/reconciliation/tell-owner.ts'
import { testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { mailsTo } from '../support/mail.ts'
import { merchantOf, simulate } from '../support/merchant.ts'
import { byHand, payAt } from '../support/settlement.ts'

const HOUR_MS = 3_600_000
const today = dayOf(new Date())
/** A morning so many days from today. */
const morning = (days: number) => new Date(Date.parse(`${today}T07:00:00+07:00`) + days * 24 * HOUR_MS)

async function shop() {
  const service = await testApp({ worker: false })
  const { app, demo } = service
  const merchant = merchantOf(demo)
  const asWorker = (changes: Partial<Deps> = {}, at = morning(1)) => {
    const deps = { ...app, clock: () => at, ...changes }
    return reconcileDueDay(deps, inquiryLimits(app.clock), new AbortController().signal)
  }
  return {
    ...service,
    asWorker,
    async create(): Promise<{ id: string; payment_code: string }> {
      return (await merchant.create()).data
    },
    pay: ({ id, payment_code }: { id: string; payment_code: string }, amountPaid = 10_000_000n) =>
      payAt(
        app,
        { tenantId: demo.client.tenant_id, id, paymentCode: payment_code } as Payment,
        new Date(),
        amountPaid,
      ),
    /** All runs that are due on a morning. */
    async reconcile(days = 1) {
      const passes = []
      for (let pass = await asWorker({}, morning(days)); pass; pass = await asWorker({}, morning(days)))
        passes.push(pass)
      return passes
    },
    async open() {
      const found = await listDifferences(
        app.db,
        { isOpen: true, mode: null, paymentId: null },
        undefined,
        100,
      )
      return found.map(({ payment_code, between, kind }) => `${payment_code} ${between} ${kind}`).sort()
    },
    closed: () => listDifferences(app.db, { isOpen: false, mode: null, paymentId: null }, undefined, 100),
    run: async () => (await listRuns(app.db, 'test', undefined, 1))[0],
    /** As if so much time had gone by. */
    lapse: (column: string) =>
      asOwner(app.db, owner =>
        owner.raw(`update reconciliation_runs set ?? = now() - interval '1 second' where ?? is not null`, [
          column,
          column,
        ]),
      ),
  }
}

describe('what the provider has and the service has not', () => {
  test('is a difference the next morning, and is closed by the first run that finds them agreed', async () => {
    const { create, pay, reconcile, open, closed, demo } = await shop()
    const [unheard, fine, other] = [await create(), await create(), await create()]
    for (const each of [unheard, fine, other]) await simulate(demo, each, 'paid', { silently: true })
    await pay(fine)
    await pay(other, 10_000_100n)
    const of = ({ payment_code }: { payment_code: string }, what: string) =>
      `${payment_code} payments_provider ${what}`

    expect(await reconcile()).toEqual([
      { day: today, mode: 'live', left: 0n, differences: 0n },
      { day: today, mode: 'test', left: 0n, differences: 2n },
    ])
    expect(await open()).toEqual([of(unheard, 'missing_here'), of(other, 'amount')].sort())
    expect(await reconcile()).toEqual([])

    await pay(unheard)
    await reconcile(2)
    expect(await open()).toEqual([of(other, 'amount')])
    expect(await closed()).toEqual([
      expect.objectContaining({ payment_id: unheard.id, day: today, closed_by: 'run', reason: null }),
    ])
  })

  test('is a difference of the ledger, too, where the credit of a paid payment is missing', async () => {
    const { app, create, pay, reconcile, open, demo } = await shop()
    const payment = await create()
    await simulate(demo, payment, 'paid', { silently: true })
    await pay(payment)
    await byHand(app, ['delete from ledger_entries where payment_id = ?', [payment.id]])
    await reconcile()
    expect(await open()).toEqual([`${payment.payment_code} payments_ledger missing_there`])
  })
})

describe('a run', () => {
  test('is made once, however many workers begin it together', async () => {
    const { app, create, asWorker, open, run, demo } = await shop()
    const payments = [await create(), await create(), await create()]
    for (const each of payments) await simulate(demo, each, 'paid', { silently: true })
    let asked = 0
    const { accountOf } = app
    const counting: Partial<Deps> = {
      health: {
        ...app.health,
        watch: (account, kind, work) => {
          asked += 1
          return app.health.watch(account, kind, work)
        },
      },
      accountOf,
    }
    const passes = await Promise.all(Array.from({ length: 8 }, () => asWorker(counting)))
    const mine = passes.filter(pass => pass?.mode === 'test')
    // Those that were late for live payments may have found nothing to do.
    if (mine.length === 0) await asWorker(counting)
    expect(mine.length).toBeLessThanOrEqual(1)
    expect(asked).toBe(3)
    expect(await open()).toHaveLength(3)
    expect(await run()).toMatchObject({ day: today, inquiry: 3n, differences: 3n, notChecked: [] })
  })

  test('is continued by another worker when the one that had it is dead, and doubles nothing', async () => {
    const { app, create, asWorker, open, run, lapse, demo } = await shop()
    const payments = []
    for (let n = 0; n < 20; n += 1) payments.push(await create())
    for (const each of payments) await simulate(demo, each, 'paid', { silently: true })
    await asWorker()
    let wake = () => {}
    const asleep = new Promise<void>(resolve => {
      wake = resolve
    })
    let asked = 0
    const dying = asWorker({
      accountOf: async id => {
        asked += 1
        if (asked > 40) await asleep
        return app.accountOf(id)
      },
    })
    await expect.poll(async () => asked > 40 && (await open()).length > 0).toBe(true)
    expect(await asWorker()).toBeUndefined()
    await lapse('claimed_until')
    expect(await asWorker()).toMatchObject({ mode: 'test', left: 0n, differences: 20n })
    // It was not dead: what it still does changes nothing.
    wake()
    await expect(dying).rejects.toThrow('another process took over')
    expect(await open()).toHaveLength(20)
    expect(new Set(await open()).size).toBe(20)
    expect(await run()).toMatchObject({ inquiry: 20n, differences: 20n })
  })

  test('says which account it could not check, calls nothing balanced, and asks again later', async () => {
    const { app, create, asWorker, reconcile, open, run, lapse, demo } = await shop()
    const payment = await create()
    await simulate(demo, payment, 'paid', { silently: true })
    const away: Partial<Deps> = {
      accountOf: async id => {
        const loaded = await app.accountOf(id)
        return loaded && { ...loaded, account: { ...loaded.account, baseUrl: 'http://127.0.0.1:9' } }
      },
    }
    await asWorker()
    expect(await asWorker(away)).toMatchObject({ mode: 'test', left: 1n, differences: 0n })
    expect(await run()).toMatchObject({
      completedAt: null,
      inquiry: 0n,
      notChecked: [{ provider: expect.any(String), payments: 1, retried: true }],
    })
    expect(await reconcile()).toEqual([])
    await lapse('retry_at')
    expect(await reconcile()).toMatchObject([{ mode: 'test', left: 0n, differences: 1n }])
    expect(await run()).toMatchObject({ completedAt: expect.any(Date), inquiry: 1n, notChecked: [] })
    expect(await open()).toEqual([`${payment.payment_code} payments_provider missing_here`])
  })

  test('that a provider answers nothing closes no difference', async () => {
    const { app, create, asWorker, reconcile, open, pay, demo } = await shop()
    const payment = await create()
    await simulate(demo, payment, 'paid', { silently: true })
    await reconcile()
    await pay(payment)
    const away: Partial<Deps> = {
      accountOf: async id => {
        const loaded = await app.accountOf(id)
        return loaded && { ...loaded, account: { ...loaded.account, baseUrl: 'http://127.0.0.1:9' } }
      },
    }
    while (await asWorker(away, morning(2)));
    expect(await open()).toHaveLength(1)
  })

  test('of a day on which no worker ran is made up for', async () => {
    const { reconcile } = await shop()
    await reconcile(1)
    const days = (await reconcile(4)).map(({ day, mode }) => `${day} ${mode}`)
    const expected = [1, 2, 3].map(ahead => daysBefore(today, -ahead))
    expect(days).toEqual(expected.flatMap(day => [`${day} live`, `${day} test`]))
  })
})

test('the Owner gets one mail for all that is new, and none for what he knows', async () => {
  const { app, create, reconcile, dataDir, demo } = await shop()
  const mails = async () =>
    (await mailsTo(dataDir, demo.owner.email)).filter(text =>
      text.includes('reconciliation found differences'),
    )
  const payments = [await create(), await create()]
  for (const each of payments) await simulate(demo, each, 'paid', { silently: true })
  await reconcile()
  await tellOwner(app)
  await reconcile(2)
  await tellOwner(app)
  expect(await mails()).toEqual([expect.stringContaining('2 new differences')])
})
