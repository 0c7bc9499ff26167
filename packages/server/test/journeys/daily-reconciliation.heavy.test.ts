// Tests daily reconciliation: each day is reconciled the next morning by the first available worker. A difference
// stays open until a later run finds that both sides are equal, or until the Owner (the operator's tenant) closes it.

import { describe, expect, test } from 'vitest'
import { mailReconciliationDifferences } from '../../src/daily-reconciliation/mail-differences.ts'
import { latestDueDay } from '../../src/daily-reconciliation/reconcile-due-day.ts'
import { claimDueRun } from '../../src/daily-reconciliation/run.sql.ts'
import type { Db } from '../../src/db/db.ts'
import type { Mail } from '../../src/mail/mail.ts'
import { readBacklog } from '../../src/metrics/backlog.sql.ts'
import { daysBefore } from '../../src/values/day.ts'
import {
  countingInquiries,
  dailyShop,
  morning,
  providerAway,
  today,
} from '../support/daily-reconciliation.ts'
import { mailsTo } from '../support/mail.ts'
import { logIn, simulate, until } from '../support/merchant.ts'
import { rejectedMailbox } from '../support/notices.ts'
import { byHand, newAccount, pendingAt } from '../support/settlement.ts'

/** Counts the workers that are waiting for a row that another worker has locked. */
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%reconciliation_runs%'`,
  )
  return rows[0].count
}

describe("daily reconciliation reports a payment that differs from the provider's data or from the ledger", () => {
  test('a payment that only the provider reports as paid is a difference until the service records it', async () => {
    const { create, pay, reconcile, open, closed, demo } = await dailyShop()
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
    // The next reconciliation finds the same difference again, but does not store it a second time.
    await reconcile(3)
    expect(await open()).toHaveLength(1)
  })

  test('daily reconciliation reports a paid payment without a credit as a difference between the payment and the ledger', async () => {
    const { app, createPaidThere, pay, reconcile, open } = await dailyShop()
    const [payment] = await createPaidThere(1)
    await pay(payment as { id: string; payment_code: string })
    await byHand(app, ['delete from ledger_entries where payment_id = ?', [payment?.id]])
    await reconcile()
    expect(await open()).toEqual([`${payment?.payment_code} payments_ledger missing_there`])
  })
})

describe('each day is reconciled in one run per mode (live or test)', () => {
  test('a daily reconciliation run is due at 06:00 in Jakarta and covers the previous day', () => {
    expect(latestDueDay(new Date('2026-11-20T05:59:59+07:00'))).toBe('2026-11-18')
    expect(latestDueDay(new Date('2026-11-20T06:00:00+07:00'))).toBe('2026-11-19')
  })

  test('the daily reconciliation of each mode runs only once a day, even if several workers start it concurrently', async () => {
    const { app, createPaidThere, asWorker, open, run } = await dailyShop()
    await createPaidThere(3)
    const { changes, asked } = countingInquiries(app)
    const together = () => Promise.all(Array.from({ length: 8 }, () => asWorker(changes)))
    // A worker may finish the reconciliation run for one mode (live or test) during a pass of its job. The worker may
    // then start the run for the other mode in the same pass.
    const passes = [...(await together()), ...(await together())].filter(pass => pass !== undefined)
    expect(passes.map(({ mode }) => mode).sort()).toEqual(['live', 'test'])
    expect(asked()).toBe(3)
    expect(await open()).toHaveLength(3)
    expect(await run()).toMatchObject({ day: today, inquiry: 3n, differences: 3n, notChecked: [] })
  })

  test('if one worker has started a daily reconciliation run, a second worker does not start it', async () => {
    const { app } = await dailyShop()
    const other = await app.db.transaction(async tx => {
      await claimDueRun(tx as unknown as Db, today)
      const claimed = claimDueRun(app.db, today)
      await until('the second worker waits for the lock', async () => (await countWaiting(app.db)) === 1)
      // The first worker's transaction commits only after this function returns. Until then, the second
      // worker waits for the row lock.
      return () => claimed
    })
    expect(await other()).toBeUndefined()
  })

  test("if a daily reconciliation run's worker dies, another worker continues the run without duplicate differences", async () => {
    const { app, createPaidThere, asWorker, open, run, lapse } = await dailyShop()
    await createPaidThere(20)
    await asWorker()
    let wake = () => {}
    const asleep = new Promise<void>(resolve => {
      wake = resolve
    })
    let calls = 0
    const dying = asWorker({
      accountOf: async id => {
        calls += 1
        if (calls > 40) await asleep
        return app.accountOf(id)
      },
    })
    await until('some inquiries have returned', async () => calls > 40 && (await open()).length > 0)
    expect(await asWorker()).toBeUndefined()
    const answered = (await open()).length
    await lapse('claimed_until')
    const { changes, asked } = countingInquiries(app)
    expect(await asWorker(changes)).toMatchObject({ mode: 'test', left: 0n, differences: 20n })
    expect(asked()).toBeLessThanOrEqual(20 - answered)
    // The first worker was only slow, but another worker has taken over its reconciliation. The first worker
    // now continues, and its later writes must have no effect.
    wake()
    await expect(dying).rejects.toThrow('another process took over')
    expect(await open()).toHaveLength(20)
    expect(new Set(await open()).size).toBe(20)
    expect(await run()).toMatchObject({ inquiry: 20n, differences: 20n })
  })

  test('if the worker of a daily reconciliation run stops, another worker can continue the run immediately', async () => {
    const { app, createPaidThere, asWorker, open } = await dailyShop()
    await createPaidThere(20)
    await asWorker()
    const stop = new AbortController()
    const stopped = asWorker(
      {
        accountOf: async id => {
          stop.abort()
          return app.accountOf(id)
        },
      },
      morning(1),
      stop.signal,
    )
    await expect(stopped).rejects.toThrow()
    expect(await asWorker()).toMatchObject({ mode: 'test', left: 0n, differences: 20n })
    expect(await open()).toHaveLength(20)
  })

  test('a daily reconciliation that could not check an account is not balanced and is retried later', async () => {
    const { app, createPaidThere, asWorker, reconcile, open, run, lapse } = await dailyShop()
    const [payment] = await createPaidThere(1)
    await asWorker()
    expect(await asWorker(providerAway(app))).toMatchObject({ mode: 'test', left: 1n, differences: 0n })
    expect(await run()).toMatchObject({
      completedAt: null,
      inquiry: 0n,
      notChecked: [{ provider: expect.any(String), payments: 1, retried: true }],
    })
    expect((await readBacklog(app.db)).reconciliationUnchecked).toBe(1)
    expect(await reconcile()).toEqual([])
    await lapse('retry_at')
    expect(await reconcile()).toMatchObject([{ mode: 'test', left: 0n, differences: 1n }])
    expect(await run()).toMatchObject({ completedAt: expect.any(Date), inquiry: 1n, notChecked: [] })
    expect(await open()).toEqual([`${payment?.payment_code} payments_provider missing_here`])
  })

  test('if an account does not respond, a daily reconciliation run stops sending inquiries to it', async () => {
    const { app, demo, asWorker } = await dailyShop()
    const owner = await logIn(demo, demo.owner)
    const day = { date: today, accountId: await newAccount(demo, owner, 'http://127.0.0.1:9') }
    for (let n = 0; n < 80; n += 1) await pendingAt(app, demo, day)
    const { changes, asked } = countingInquiries(app)
    expect(await asWorker(changes)).toMatchObject({ mode: 'live', left: 80n })
    // After 32 failed inquiries in a row, no further inquiries start, but up to 15 others may be in flight already.
    expect(asked()).toBeLessThan(32 + 16)
  })

  test('an account whose credentials cannot be decrypted does not stop the daily reconciliation of other accounts', async () => {
    const { app, demo, createPaidThere, reconcile, open, run } = await dailyShop()
    const owner = await logIn(demo, demo.owner)
    const accountId = await newAccount(demo, owner)
    const unreadable = "update provider_accounts set mode = 'test', credentials_sealed = 'none' where id = ?"
    await byHand(app, [unreadable, [accountId]])
    await pendingAt(app, demo, { date: today, accountId }, { mode: 'test' })
    const [paid] = await createPaidThere(1)
    expect(await reconcile()).toMatchObject([{ mode: 'live' }, { mode: 'test', left: 1n, differences: 1n }])
    expect(await open()).toEqual([`${paid?.payment_code} payments_provider missing_here`])
    expect(await run()).toMatchObject({ notChecked: [{ payments: 1, retried: true }] })
  })

  test('a daily reconciliation run keeps all differences open while the provider does not respond', async () => {
    const { app, createPaidThere, asWorker, reconcile, open, pay, forgetRuns } = await dailyShop()
    const [payment] = await createPaidThere(1)
    await reconcile()
    await pay(payment as { id: string; payment_code: string })
    while (await asWorker(providerAway(app), morning(2)));
    expect(await open()).toHaveLength(1)
    // If the provider does not respond, the reconciliation run compares the payment only with the ledger. The
    // run must therefore not close the open difference.
    await forgetRuns()
    while (await asWorker(providerAway(app)));
    expect(await open()).toHaveLength(1)
  })

  test('a worker catches up on all daily reconciliation runs that were missed while no worker was running', async () => {
    const { reconcile } = await dailyShop()
    await reconcile(1)
    const days = (await reconcile(4)).map(({ day, mode }) => `${day} ${mode}`)
    const expected = [1, 2, 3].map(ahead => daysBefore(today, -ahead))
    expect(days).toEqual(expected.flatMap(day => [`${day} live`, `${day} test`]))
  })
})

test('the Owner gets only one email about new reconciliation differences, even if another mailbox is rejected', async () => {
  const { app, createPaidThere, reconcile, dataDir, demo } = await dailyShop()
  const mails = async () =>
    (await mailsTo(dataDir, demo.owner.email)).filter(text =>
      text.includes('reconciliation found differences'),
    )
  await createPaidThere(2)
  await reconcile()
  await app.db.raw(`insert into users (id, tenant_id, email, password_hash)
                    select gen_random_uuid(), id, 'rejected@example.com', 'x' from tenants where role = 'owner'`)
  const withRejectedMailbox = {
    ...app,
    sendMail: async (mail: Mail) => {
      if (mail.to === 'rejected@example.com') throw rejectedMailbox()
      await app.sendMail(mail)
    },
  }
  await mailReconciliationDifferences(withRejectedMailbox)
  await reconcile(2)
  await mailReconciliationDifferences(withRejectedMailbox)
  expect(await mails()).toEqual([expect.stringContaining('2 new differences')])
})
