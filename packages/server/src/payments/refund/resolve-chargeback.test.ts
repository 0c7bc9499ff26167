// Tests that the Owner can record a chargeback as won if the provider (Midtrans) sends no message about won
// chargebacks.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { now } from '../../../test/support/make.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { recordCallbacks } from '../../callbacks/record-callbacks.ts'
import { assignMoney } from '../../inbox/assign-money.ts'
import type { InquiryResult, MoneyReturn } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { inquireAndRecord } from '../inquire/inquire-and-record.ts'
import type { Payment } from '../payment.ts'
import { recordUnmatchedMoney } from '../record/record-unmatched-money.ts'
import { resolveRefund } from './resolve-refund.ts'

const { db } = await testDatabase()

const AMOUNT = 100_000n
let scene: ReturnType<typeof refundScene>
/** The provider's response to a status inquiry. */
let respond: () => InquiryResult | Promise<InquiryResult>
let inquiries: number

beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
  inquiries = 0
  respond = () => paid()
  scene.state.provider.inquire = async () => {
    inquiries += 1
    return respond()
  }
  await scene.receive(AMOUNT, 'r-1')
  await report()
})

const chargeback: MoneyReturn = { kind: 'chargeback', id: null, amount: AMOUNT, status: 'succeeded' }
const paid = (returns: MoneyReturn[] = []): InquiryResult => ({
  reference: scene.payment.paymentCode,
  providerPaymentId: 'p',
  fact: { type: 'paid', amountPaid: AMOUNT, paidAt: now, receipt: 'r-1' },
  ...(returns.length > 0 && { returns }),
})
const report = (returned: Partial<MoneyReturn> = {}) => scene.report({ ...chargeback, ...returned })
const last = async () => (await scene.refunds()).at(-1)
const win = async (id?: string) =>
  resolveRefund(scene.app, null, id ?? (await last())?.id ?? '', {
    outcome: 'failed',
    reason: 'won at the bank',
  })
const statuses = async () => (await scene.refunds()).map(({ status }) => status)

describe('the Owner can record a chargeback as won once the provider no longer lists it', () => {
  test('recording a chargeback as won credits its amount back once, sends a webhook and writes an audit entry', async () => {
    expect(await scene.balance()).toBe(0n)
    expect(await win()).toMatchObject({ status: 'failed', failureReason: 'won at the bank' })
    expect(await scene.entries()).toEqual([
      ['credit', AMOUNT],
      ['debit', AMOUNT],
      ['credit', AMOUNT],
    ])
    expect(await scene.current()).toMatchObject({ status: 'paid', amountReversed: 0n })
    expect(await scene.webhooks()).toEqual(['payment.paid', 'payment.reversed', 'refund.failed'])
    expect(await scene.records()).toMatchObject([{ status: 'dismissed', reason: 'won at the bank' }])
    const { rows } = await db.raw('select action, "before", "after" from audit_log where subject_id = ?', [
      (await last())?.id ?? '',
    ])
    expect(rows).toMatchObject([
      { action: 'refund.resolve', before: { status: 'succeeded' }, after: { status: 'failed' } },
    ])
    await expect(win()).rejects.toThrow('this refund is already failed')
    expect(await scene.balance()).toBe(AMOUNT)
  })

  test('if the operator gives no reason for a won chargeback, the refund and its record state that it was won', async () => {
    const reason = 'the chargeback was won'
    const id = (await last())?.id ?? ''
    expect(await resolveRefund(scene.app, null, id, { outcome: 'failed' })).toMatchObject({
      failureReason: reason,
    })
    expect(await scene.records()).toMatchObject([{ status: 'dismissed', reason }])
  })

  test('a chargeback recorded as won is debited once more if the provider reports it again', async () => {
    await win()
    respond = () => paid([chargeback])
    for (let times = 0; times < 3; times++) await inquireAndRecord(inquirer(), await scene.current())
    expect([await statuses(), await scene.balance()]).toEqual([['failed', 'succeeded'], 0n])
    expect(await scene.records()).toMatchObject([{ status: 'dismissed' }, { status: 'accepted', round: 2 }])
    respond = () => paid()
    await win()
    await report()
    await report()
    expect([await statuses(), await scene.balance()]).toEqual([['failed', 'failed', 'succeeded'], 0n])
  })

  test("a won chargeback that is reported again without an amount waits for the Owner's decision", async () => {
    await win()
    await report({ amount: null })
    expect(await scene.records()).toMatchObject([{ status: 'dismissed' }, { status: 'open' }])
    expect(await scene.balance()).toBe(AMOUNT)
  })

  test('a won chargeback is credited only once, even if the provider later reports that it was won', async () => {
    await win()
    await report({ status: 'failed' })
    await report({ id: 'cb-1', status: 'failed' })
    expect([await statuses(), await scene.balance()]).toEqual([['failed'], AMOUNT])
  })

  test('a won chargeback that is reported again with an ID is debited again only once', async () => {
    await win()
    await report({ id: 'cb-1' })
    await report({ id: 'cb-1' })
    expect([await statuses(), await scene.balance()]).toEqual([['failed', 'succeeded'], 0n])
  })

  test('if a chargeback is recorded as won twice at the same time, the merchant is credited only once', async () => {
    const decided = await Promise.allSettled([win(), win()])
    expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await scene.balance()).toBe(AMOUNT)
  })
})

const inquirer = () => ({ ...scene.app, recordInBatch: scene.app.recordInBatch })

describe('a chargeback cannot be recorded as won while the provider still lists it or does not confirm that it is gone', () => {
  test.each([
    ['still lists the chargeback', () => paid([chargeback]), 'still reports this chargeback'],
    [
      'lists another chargeback',
      () => paid([{ ...chargeback, amount: null }]),
      'still reports this chargeback',
    ],
    ['does not find the order', () => 'absent' as const, 'did not confirm'],
    ['does not report the status', () => 'not_reported' as const, 'did not confirm'],
    [
      'reports the order as failed',
      () => ({ ...(paid() as object), fact: { type: 'failed', reason: 'deny' } }) as InquiryResult,
      'did not confirm',
    ],
  ])('if the provider %s, the chargeback and the balance stay unchanged', async (_, response, message) => {
    respond = response
    await expect(win()).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      message: expect.stringContaining(message),
    })
    expect([await statuses(), await scene.balance()]).toEqual([['succeeded'], 0n])
  })

  test('a chargeback cannot be recorded as won if the provider does not respond to the status inquiry', async () => {
    respond = () => Promise.reject(new Error('timeout'))
    await expect(win()).rejects.toThrow('did not confirm')
    expect([await statuses(), await scene.balance()]).toEqual([['succeeded'], 0n])
  })

  test('a chargeback stays debited if the provider reports it during the inquiry about its outcome', async () => {
    respond = async () => {
      await report()
      return paid()
    }
    await expect(win()).rejects.toThrow('reported this chargeback again')
    expect([await statuses(), await scene.balance()]).toEqual([['succeeded'], 0n])
    respond = () => paid()
    await win()
    expect(await scene.balance()).toBe(AMOUNT)
  })

  test('a chargeback cannot be recorded as won if the provider reports it again during the inquiry', async () => {
    respond = async () => {
      await report({ id: 'cb-1' })
      return paid()
    }
    await expect(win()).rejects.toThrow('reported this chargeback again')
    await expect(win()).rejects.toThrow("only the provider's report can change it")
    expect(await scene.balance()).toBe(0n)
  })

  test('the operator cannot record a chargeback as won if the provider itself reports won chargebacks', async () => {
    scene.state.provider = { ...scene.state.provider, omitsWonChargebacks: undefined } as never
    await expect(win()).rejects.toThrow("only the provider's report can change it")
    expect([inquiries, await scene.balance()]).toEqual([0, 0n])
  })

  test('a chargeback that was reported for another order and assigned to the payment cannot be recorded as won', async () => {
    const reference = `other-${newId()}`
    const ofOther = {
      ...{ provider: 'midtrans', providerAccountId: scene.payment.providerAccountId, mode: 'live' as const },
      update: {
        ...{ reference, providerPaymentId: 'p-9', fact: { type: 'nothing' as const, reason: 'x' } },
        returns: [{ ...chargeback, amount: 40_000n }],
      },
    }
    await db.transaction(tx => recordUnmatchedMoney(tx, [ofOther], now))
    const { rows } = await db.raw('select id from unexpected_money where reference = ?', [reference])
    await assignMoney(scene.app, null, rows[0].id, { paymentId: scene.payment.id, reason: 'this one' })
    expect(await last()).toMatchObject({ origin: 'chargeback', amount: 40_000n })
    await expect(win()).rejects.toThrow('the chargeback was assigned to the payment')
    expect([inquiries, await scene.balance()]).toEqual([0, -40_000n])
  })

  test('a chargeback with a dispute ID cannot be recorded as won', async () => {
    await report({ id: 'cb-1' })
    await expect(win()).rejects.toThrow("only the provider's report can change it")
    expect(inquiries).toBe(0)
  })

  test('the Owner can record a chargeback as won, but not as succeeded (lost by the merchant)', async () => {
    await expect(
      resolveRefund(scene.app, null, (await last())?.id ?? '', { outcome: 'succeeded' }),
    ).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
  })
})

describe('while the Owner decides on a chargeback, callbacks about the chargeback are still processed', () => {
  const message = (response?: { result: InquiryResult; inquired: Payment }) => ({
    callback: { id: newId(), providerAccountId: scene.payment.providerAccountId, receivedAt: now },
    ...{ provider: 'midtrans', mode: 'live' as const, needsConfirmation: false },
    update: {
      ...{ reference: scene.payment.paymentCode, providerPaymentId: 'p' },
      fact: { type: 'unproven' as const, reason: 'chargeback, which is not signed' },
    },
    ...(response && { response }),
  })
  const apply = (each: ReturnType<typeof message>) =>
    db.transaction(tx => recordCallbacks(scene.app, tx, [[each]], { isFinal: true, storesOutcomes: false }))

  test('an inquiry sent before the Owner recorded the chargeback as won cannot debit the chargeback again', async () => {
    const inquired = await scene.current()
    await win()
    const [outdated] = await apply(message({ result: paid([chargeback]), inquired }))
    expect(outdated?.neededInquiries).toHaveLength(1)
    expect([await statuses(), await scene.balance()]).toEqual([['failed'], AMOUNT])
    const [current] = await apply(message({ result: paid(), inquired: await scene.current() }))
    expect(current?.neededInquiries).toEqual([])
    expect(await scene.balance()).toBe(AMOUNT)
    await apply(message({ result: paid([chargeback]), inquired: await scene.current() }))
    expect([await statuses(), await scene.balance()]).toEqual([['failed', 'succeeded'], 0n])
  })

  test('a repeated report of a chargeback leaves it debited and updates the time of its last change', async () => {
    const before = await last()
    await apply(message({ result: paid([chargeback]), inquired: await scene.current() }))
    expect((await last())?.updatedAt).toEqual(after(before?.updatedAt ?? now, 1))
    expect([await statuses(), await scene.balance()]).toEqual([['succeeded'], 0n])
  })
})
