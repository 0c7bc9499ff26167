import { beforeAll, describe, expect, test } from 'vitest'
import type { Payment } from '../../src/payments/payment.ts'
import { dayOf } from '../../src/values/day.ts'
import { newId } from '../../src/values/id.ts'
import { makeTenant } from '../support/make.ts'
import { merchantOf, simulate } from '../support/merchant.ts'
import {
  byHand,
  csvOf,
  expected,
  newAccount,
  payAt,
  pendingAt,
  type Reconciling,
  reconciling,
  refusal,
  told,
  upload,
} from '../support/settlement.ts'

let { app, demo, owner, partner, client, client2, ask, newDay, paid, reconcile } = {} as Reconciling

beforeAll(async () => {
  ;({ app, demo, owner, partner, client, client2, ask, newDay, paid, reconcile } = await reconciling())
})

const AMOUNT = 10_000_000

describe('reconciliation reports each difference between payments and an uploaded settlement', () => {
  test('the reconciliation of a day is balanced if the payments agree with the settlement', async () => {
    const day = await newDay()
    const payment = await paid(day)
    await pendingAt(app, demo, day)
    expect((await upload(demo, owner, day, csvOf([payment]))).data).toMatchObject({
      date: day.date,
      lines: 1,
      amount: AMOUNT,
      duplicates: 0,
    })
    const compared = { settlement: 1, inquiry: 0, unanswered: 0, books: 0, unknown_lines: 0 }
    const counts = { missing_here: 0, missing_there: 0, amount: 0, status: 0, duplicate: 0 }
    expect(await reconcile(day)).toEqual({
      date: day.date,
      source: 'settlement',
      items: [
        {
          tenant_id: demo.client.tenant_id,
          mode: 'live',
          paid: { count: 1, amount: AMOUNT },
          credited: { count: 1, amount: AMOUNT },
          debited: { count: 0, amount: 0 },
        },
      ],
      compared,
      counts,
      by_mode: [{ mode: 'live', compared, counts }],
      differences: [],
      truncated: false,
      balanced: true,
    })
  })

  test('reconciliation finds every kind of difference between a settlement and the payments or the ledger', async () => {
    const day = await newDay()
    const [fine, unsettled, other, twice, refunded, partly] = [
      await paid(day),
      await paid(day),
      await paid(day),
      await paid(day),
      await paid(day),
      await paid(day),
    ]
    const pending = await pendingAt(app, demo, day)
    const csv = csvOf(
      [fine],
      [other, '100000.50'],
      [twice],
      [twice],
      [refunded],
      [refunded, 100_000, 'refunded'],
      [partly],
      [partly, 40_000, 'reversed'],
      [pending],
      ['GP260302-NOBODYS'],
    )
    expect((await upload(demo, owner, day, csv)).data).toMatchObject({ lines: 10, duplicates: 1 })
    const { differences, counts, balanced, compared } = await reconcile(day)
    expect(told(differences)).toEqual(
      expected(
        [unsettled, 'payments_provider missing_there'],
        [other, 'payments_provider amount'],
        [twice, 'payments_provider duplicate'],
        [refunded, 'ledger_provider status'],
        [partly, 'ledger_provider status'],
        [pending, 'payments_provider missing_here'],
        ['GP260302-NOBODYS', 'payments_provider missing_here'],
      ),
    )
    expect(counts).toEqual({ missing_here: 2, missing_there: 1, amount: 1, status: 2, duplicate: 1 })
    expect([balanced, compared.settlement, compared.unknown_lines]).toEqual([false, 7, 1])
    const of = (payment: Payment) =>
      differences.find((each: { payment_id: string }) => each.payment_id === payment.id)
    expect(of(other)).toEqual({
      kind: 'amount',
      between: 'payments_provider',
      tenant_id: demo.client.tenant_id,
      mode: 'live',
      payment_id: other.id,
      payment_code: other.paymentCode,
      reference: other.paymentCode,
      provider: 'midtrans',
      provider_account_id: day.accountId,
      provider_payment_id: other.providerPaymentId,
      our_status: 'paid',
      our_amount: AMOUNT,
      ledger_amount: AMOUNT,
      their_status: 'paid',
      their_amount: AMOUNT + 50,
      source: 'settlement',
      detail: 'the settled amount differs from the paid amount',
    })
    expect(of(pending)).toMatchObject({ our_status: 'pending', our_amount: null, ledger_amount: null })
    expect(of(partly)).toMatchObject({ their_status: 'reversed', their_amount: 6_000_000 })
  })

  test('reconciliation finds changes to payments and the ledger that bypassed the database triggers', async () => {
    const day = await newDay()
    const tenantId = await makeTenant(app.db)
    const [missing, unpaid, other, twice] = [
      await paid(day, { tenantId }),
      await paid(day, { tenantId }),
      await paid(day, { tenantId }),
      await paid(day, { tenantId }),
    ]
    const of = ({ tenantId, id }: Payment) => [tenantId, id]
    await byHand(
      app,
      ['drop index ledger_entries_one_credit', []],
      ['delete from ledger_entries where (tenant_id, payment_id) = (?, ?)', of(missing)],
      [
        `update payments set status = 'pending', paid_at = null, amount_paid = null where (tenant_id, id) = (?, ?)`,
        of(unpaid),
      ],
      ['update payments set amount_paid = 1 where (tenant_id, id) = (?, ?)', of(other)],
      [
        `insert into ledger_entries select tenant_id, gen_random_uuid(), mode, version + 1000, payment_id, entry_type, amount,
           balance_after, reference_id, reason, created_at, null, counter_account
         from ledger_entries where (tenant_id, payment_id) = (?, ?)`,
        of(twice),
      ],
    )
    const books = expected(
      [missing, 'payments_ledger missing_there'],
      [unpaid, 'payments_ledger missing_here'],
      [other, 'payments_ledger amount'],
      [twice, 'payments_ledger duplicate'],
    )
    expect(told((await reconcile(day, 'books')).differences)).toEqual(books)
    await upload(demo, owner, day, csvOf([missing], [unpaid], [other], [twice]))
    expect(told((await reconcile(day)).differences)).toEqual(
      [
        ...books,
        ...expected([unpaid, 'payments_provider missing_here'], [other, 'payments_provider amount']),
      ].sort(),
    )
  })

  test("reconciliation reports no difference if a payment made near midnight is in the next day's settlement", async () => {
    const day = await newDay()
    const next = { ...day, date: (await newDay()).date }
    const payment = await paid(day)
    await upload(demo, owner, day, csvOf())
    expect(told((await reconcile(day)).differences)).toEqual(
      expected([payment, 'payments_provider missing_there']),
    )
    await upload(demo, owner, next, csvOf([payment]))
    expect((await reconcile(day)).balanced).toBe(true)
    expect((await reconcile(next)).balanced).toBe(true)
  })

  test("reconciliation searches all settlements for a payment, but reports a refund's difference only for its day", async () => {
    const day = await newDay()
    const next = { ...day, date: (await newDay()).date }
    const [refunded, other] = [await paid(day), await paid(day)]
    await upload(demo, owner, next, csvOf([refunded], [refunded, 100_000, 'refunded'], [other, 1]))
    // No settlement was uploaded for the day the payment was paid.
    expect(told((await reconcile(day)).differences)).toEqual(expected([other, 'payments_provider amount']))
    await upload(demo, owner, day, csvOf())
    expect(told((await reconcile(day)).differences)).toEqual(expected([other, 'payments_provider amount']))
    expect(told((await reconcile(next)).differences)).toEqual(
      expected([refunded, 'ledger_provider status'], [other, 'payments_provider amount']),
    )
  })

  test("reconciliation does not match a payment with another provider account's settlement line", async () => {
    const day = await newDay()
    const payment = await paid(day)
    const other = { ...day, accountId: await newAccount(demo, owner) }
    await upload(demo, owner, other, csvOf([payment]))
    const { differences, compared } = await reconcile(day)
    expect(told(differences)).toEqual(expected([payment, 'payments_provider missing_here']))
    expect(differences[0]).toMatchObject({ tenant_id: null, provider_account_id: other.accountId })
    expect(compared).toMatchObject({ settlement: 0, books: 1, unknown_lines: 1 })
  })

  test('in a reconciliation report, a Client sees its own differences, a Partner those of its Clients, and the Owner all of them', async () => {
    const day = await newDay()
    const [ours, theirs] = [await paid(day), await paid(day, { tenantId: demo.client2.tenant_id })]
    await upload(demo, owner, day, csvOf(['GP260306-NOBODYS']))
    const missing = 'payments_provider missing_there'
    const seenBy = async (auth: string) => told((await reconcile(day, 'auto', auth)).differences)
    expect(await seenBy(owner)).toEqual(
      expected([ours, missing], [theirs, missing], ['GP260306-NOBODYS', 'payments_provider missing_here']),
    )
    expect(await seenBy(partner)).toEqual(expected([ours, missing]))
    expect(await seenBy(client)).toEqual(expected([ours, missing]))
    expect(await seenBy(client2)).toEqual(expected([theirs, missing]))
    expect((await ask(`date=${day.date}&source=settlement&mode=test`)).data).toMatchObject({
      balanced: true,
      compared: { settlement: 0, unknown_lines: 0 },
    })
  })
})

describe('reconciliation covers live and test payments separately', () => {
  test('reconciliation covers only live payments by default, and each mode separately with `mode=all`', async () => {
    const day = await newDay()
    const [live, trial] = [await paid(day), await paid(day, { mode: 'test' })]
    await byHand(app, ['update payments set amount_paid = 1 where id = any(?)', [[live.id, trial.id]]])
    const of = async (mode: string) => (await ask(`date=${day.date}&source=books${mode}`)).data
    const [usual, test, all] = [await of(''), await of('&mode=test'), await of('&mode=all')]
    const amount = 'payments_ledger amount'
    expect(told(usual.differences)).toEqual(expected([live, amount]))
    expect(told(test.differences)).toEqual(expected([trial, amount]))
    expect(told(all.differences)).toEqual(expected([live, amount], [trial, amount]))
    expect(all.items).toEqual([...usual.items, ...test.items])
    expect(all.by_mode).toEqual([...usual.by_mode, ...test.by_mode])
    expect([usual, test, all].map(({ counts }) => counts.amount)).toEqual([1, 1, 2])
    expect(all.by_mode).toMatchObject([
      { mode: 'live', counts: { amount: 1 }, compared: { books: 1 } },
      { mode: 'test', counts: { amount: 1 }, compared: { books: 1 } },
    ])
  })
})

describe('if no settlement was uploaded, reconciliation compares payments with the provider by means of status inquiries', () => {
  const today = () => dayOf(new Date())

  test("without a settlement, reconciliation sends a status inquiry for each of the day's payments, whether paid or not", async () => {
    const merchant = merchantOf(demo)
    const created = async () => (await merchant.create()).data
    const [fine, unheard, expired, other] = [
      await created(),
      await created(),
      await created(),
      await created(),
    ]
    const accountId = (await app.db.raw('select provider_account_id from payments where id = ?', [fine.id]))
      .rows[0].provider_account_id
    const pay = async (payment: { id: string; payment_code: string }, amountPaid = 10_000_000n) =>
      payAt(
        app,
        { tenantId: demo.client.tenant_id, id: payment.id, paymentCode: payment.payment_code } as Payment,
        new Date(),
        amountPaid,
      )
    for (const payment of [fine, unheard, other]) await simulate(demo, payment, 'paid', { silently: true })
    await simulate(demo, expired, 'expired', { silently: true })
    await pay(fine)
    await pay(other, 10_000_100n)
    const day = { date: today(), accountId }
    const unknown = await pendingAt(app, demo, day, { mode: 'test' })
    await payAt(app, unknown, new Date())

    const { differences, compared } = (await ask(`date=${day.date}&source=inquiry&mode=test`)).data
    expect(told(differences)).toEqual(
      expected(
        [unheard.payment_code, 'payments_provider missing_here'],
        [expired.payment_code, 'payments_provider status'],
        [other.payment_code, 'payments_provider amount'],
        [unknown, 'payments_provider missing_there'],
      ),
    )
    expect(compared).toMatchObject({ inquiry: 5, settlement: 0, unanswered: 0 })
    const asked = async () => (await ask(`date=${day.date}&mode=test`)).data
    expect((await asked()).differences).toHaveLength(4)
    // Reconciliation sends no status inquiry for a payment that the uploaded settlement contains.
    await upload(demo, owner, day, csvOf([fine.payment_code], [other.payment_code, 100_001], [unknown]))
    const auto = await asked()
    expect(auto.compared).toMatchObject({ settlement: 5, inquiry: 0 })
    expect(auto.balanced).toBe(true)
  })

  test('reconciliation counts payments whose provider does not respond, but does not report them as differences', async () => {
    const day = await newDay('http://127.0.0.1:9')
    await paid(day)
    // The payment's provider account no longer exists, so no inquiry can be made.
    await paid({ ...day, accountId: newId() })
    const { compared, balanced } = await reconcile(day, 'auto')
    expect([compared.unanswered, compared.inquiry, balanced]).toEqual([2, 0, true])
  })

  test('only the Owner can run a reconciliation that sends status inquiries', async () => {
    const day = await newDay('http://127.0.0.1:9')
    await paid(day)
    for (const auth of [partner, client])
      expect(refusal(await ask(`date=${day.date}&source=inquiry`, auth))).toEqual([403, 'FORBIDDEN'])
    expect((await reconcile(day, 'auto', client)).compared).toMatchObject({ unanswered: 0, books: 1 })
  })
})
