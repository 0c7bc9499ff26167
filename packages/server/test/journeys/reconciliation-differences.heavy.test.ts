// Tests how the Owner (the operator's tenant) lists and closes the differences found by daily reconciliation.

import { beforeAll, describe, expect, test } from 'vitest'
import { readBacklog } from '../../src/metrics/backlog.sql.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { daysBefore } from '../../src/values/day.ts'
import { type DailyShop, dailyShop, today } from '../support/daily-reconciliation.ts'
import { asOwner } from '../support/database.ts'
import { type Answer, http, logIn } from '../support/merchant.ts'
import { byHand, csvOf, newAccount, payAt, pendingAt, upload } from '../support/settlement.ts'

let shop: DailyShop
let owner: string
beforeAll(async () => {
  shop = await dailyShop()
  owner = await logIn(shop.demo, shop.demo.owner)
})

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  http(method, shop.demo.base_url + path, { auth: owner, ...(body && { body }) })
const differences = async (query = '') =>
  (await call('GET', `/v1/reconciliation-differences${query}`)).data.items
const close = (id: string, reason: string) =>
  call('POST', `/v1/reconciliation-differences/${id}/close`, { reason })

async function foundDifference() {
  const [payment] = await shop.createPaidThere(1)
  await shop.pay(payment as { id: string; payment_code: string }, 10_000_100n)
  await again()
  const [difference] = await differences(`?payment_id=${payment?.id}`)
  return difference
}

/** Forgets the previous reconciliation run and reconciles the same day again. */
async function again() {
  await shop.forgetRuns()
  await shop.reconcile()
}

describe('the Owner can list and close reconciliation differences', () => {
  test('a reconciliation difference is listed with the two records that differ', async () => {
    const difference = await foundDifference()
    expect(difference).toMatchObject({
      date: today,
      mode: 'test',
      kind: 'amount',
      between: 'payments_provider',
      our_amount: 10_000_100,
      their_amount: 10_000_000,
      source: 'inquiry',
      closed_at: null,
      closed_by: null,
      reason: null,
    })
    const ids = async (query: string) => (await differences(query)).map(({ id }: { id: string }) => id)
    expect(await ids('?mode=test')).toContain(difference.id)
    expect(await ids('?mode=live')).toEqual([])
    expect(await ids('?mode=all&status=closed')).toEqual([])
    const { data } = await call('GET', '/v1/reconciliation-runs?mode=test&limit=1')
    expect(data.items).toMatchObject([{ date: today, mode: 'test', state: 'complete', retry_at: null }])
  })

  test('an open reconciliation difference is counted in the metrics and causes a warning in /readyz', async () => {
    const difference = await foundDifference()
    const readiness = async () => (await fetch(`${shop.demo.base_url}/readyz`)).json()
    const { reconciliationDifferences } = await readBacklog(shop.app.db)
    expect(reconciliationDifferences).toBe((await differences('?mode=all&limit=100')).length)
    expect(await readiness()).toMatchObject({
      status: 'ready',
      warnings: [expect.stringContaining(`still open: ${reconciliationDifferences}`)],
    })
    for (const { id } of await differences('?mode=all&limit=100')) await close(id, 'looked at')
    expect(difference.id).toBeDefined()
    expect(await readiness()).not.toHaveProperty('warnings')
    await asOwner(shop.app.db, db =>
      db.raw(`update reconciliation_runs set started_at = now() - interval '40 hours',
        completed_at = completed_at - interval '37 hours' where mode = 'live'`),
    )
    expect(await readiness()).toMatchObject({
      status: 'ready',
      warnings: [expect.stringContaining('37 hours')],
    })
    await again()
  })

  test('the Owner closes a reconciliation difference with a reason, which the audit log records', async () => {
    const { id } = await foundDifference()
    expect((await close(id, ' ')).status).toBe(400)
    const { data } = await close(id, 'a rounding of theirs')
    expect(data).toMatchObject({ id, closed_by: 'owner', reason: 'a rounding of theirs' })
    expect((await close(id, 'again')).error.message).toContain(
      'this difference is already closed: a rounding of theirs',
    )
    expect((await close('none', 'x')).status).toBe(404)
    const { data: log } = await call('GET', '/v1/audit-log?limit=1')
    expect(log.items[0]).toMatchObject({
      action: 'reconciliation_difference.close',
      subject_id: id,
      tenant_id: shop.demo.client.tenant_id,
      after: { closed: true, reason: 'a rounding of theirs' },
    })
  })

  test('a difference closed by the Owner is reported again only after one of its records has changed', async () => {
    const { id, payment_id } = await foundDifference()
    await close(id, 'a rounding of theirs')
    await again()
    expect(await differences(`?payment_id=${payment_id}`)).toEqual([])
    await byHand(shop.app, ['update payments set amount_paid = 1 where id = ?', [payment_id]])
    await again()
    const found = await differences(`?payment_id=${payment_id}`)
    expect(found.map(({ between }: { between: string }) => between).sort()).toEqual([
      'payments_ledger',
      'payments_provider',
    ])
    expect(found.every((each: { id: string }) => each.id !== id)).toBe(true)
  })
})

describe('a difference between a payment and an uploaded settlement is closed when later data resolves the difference', () => {
  async function settledDay() {
    const { app, demo } = shop
    const day = { date: today, accountId: await newAccount(demo, owner, 'http://127.0.0.1:9') }
    const payment = await pendingAt(app, demo, day)
    await payAt(app, payment, new Date())
    const open = async () =>
      (await differences('?mode=live&limit=100'))
        .filter((each: { provider_account_id: string }) => each.provider_account_id === day.accountId)
        .map(({ reference, kind, between }: Record<string, string>) => `${reference} ${between} ${kind}`)
    return { app, demo, day, payment, open, code: payment.paymentCode }
  }

  test("a payment missing from its day's settlement is a difference until another settlement contains the payment", async () => {
    const { demo, day, payment, open, code } = await settledDay()
    await upload(demo, owner, day, csvOf())
    await again()
    expect(await open()).toEqual([`${code} payments_provider missing_there`])
    await shop.reconcile(2)
    expect(await open()).toHaveLength(1)
    // Uploads a settlement for an earlier day, because the next day is in the future. Any day is suitable,
    // because reconciliation compares each settlement line with its payment, regardless of the settlement's
    // day.
    await upload(demo, owner, { ...day, date: daysBefore(today, 1) }, csvOf([payment]))
    await shop.reconcile(3)
    expect(await open()).toEqual([])
  })

  test('a refund that only the settlement contains is a difference until the ledger debits the refund', async () => {
    const { app, demo, day, payment, open, code } = await settledDay()
    await upload(demo, owner, day, csvOf([payment], [payment, 100_000, 'refunded']))
    await again()
    expect(await open()).toEqual([`${code} ledger_provider status`])
    const { tenantId, id: paymentId } = payment
    const refund = { kind: 'refund', id: 'rf-1', amount: payment.amount, status: 'succeeded' } as const
    const reportedReturns = { reference: payment.paymentCode, returns: [refund] }
    const report = { tenantId, paymentId, event: () => undefined, reportedReturns, cause: 'callback' }
    await app.db.transaction(tx => recordEvents(tx, [report], new Date()))
    await byHand(app, [
      `update ledger_entries set created_at = created_at + interval '1 day' where payment_id = ? and entry_type = 'debit'`,
      [paymentId],
    ])
    await shop.reconcile(2)
    expect(await open()).toEqual([])
  })

  test('if a settlement line matches no payment, the difference is reported until a corrected settlement is uploaded', async () => {
    const { demo, day, payment, open } = await settledDay()
    await upload(demo, owner, day, csvOf([payment], ['INV-NOBODYS']))
    await again()
    expect(await open()).toEqual(['INV-NOBODYS payments_provider missing_here'])
    await shop.reconcile(2)
    expect(await open()).toHaveLength(1)
    await upload(demo, owner, day, csvOf([payment]))
    await shop.reconcile(3)
    expect(await open()).toEqual([])
  })
})
