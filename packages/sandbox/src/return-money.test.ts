import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addOrder, closeFakeSandbox, fakeProvider, openFakeSandbox } from '../test/support/fake-provider.ts'
import { call, charge, type Json, methods, newOrderId } from '../test/support/merchant.ts'
import { startReceiver } from '../test/support/receiver.ts'
import { calm } from './chaos.ts'
import type { Sandbox } from './provider.ts'
import { newReturn, resumeReturns } from './return-money.ts'
import { type RunningSandbox, startSandbox } from './server.ts'
import { simulateOutcome } from './simulate.ts'

let sandbox: RunningSandbox
let merchant: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  merchant = await startReceiver()
  sandbox = await startSandbox({ port: 0, notificationUrl: merchant.url, pendingNotifications: false })
})
beforeEach(() => {
  merchant.received.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await merchant.close()
})

const simulate = (body: Json, path = '/simulate') => call(`${sandbox.url}${path}`, body, { serverKey: null })
const record = async (code: string) =>
  (await call(`${sandbox.url}/orders?payment_code=${code}`)).body.orders[0]

async function created(method = methods.gopay): Promise<string> {
  const code = newOrderId()
  await call(`${sandbox.url}/midtrans/v2/charge`, charge(method, code))
  return code
}

async function paid(method = methods.gopay): Promise<string> {
  const code = await created(method)
  await simulate({ payment_code: code, outcome: 'paid' }, '/simulate/silently')
  return code
}

describe("the sandbox computes how much of an order's money the simulated provider still holds", () => {
  test('the provider holds the amount paid minus all refunds and chargebacks', async () => {
    const code = await paid()
    expect((await record(code)).held_cents).toBe(4_400_000)
    await simulate({ payment_code: code, outcome: 'partially_refunded', amount: 400_000 })
    expect((await record(code)).held_cents).toBe(4_000_000)
    await simulate({ payment_code: code, outcome: 'chargeback', amount: 1_000_000 })
    expect((await record(code)).held_cents).toBe(3_000_000)
    await simulate({ payment_code: code, outcome: 'refunded' })
    expect(await record(code)).toMatchObject({
      status: 'paid',
      held_cents: 0,
      receipts: [{ amount_cents: 4_400_000 }],
      returns: [
        { kind: 'refund', key: null, amount_cents: 400_000, status: 'succeeded' },
        { kind: 'chargeback', amount_cents: 1_000_000, status: 'succeeded' },
        { kind: 'refund', amount_cents: 3_000_000, status: 'succeeded', final_at: expect.any(String) },
      ],
    })
  })

  test('if a test simulates a refund with /simulate/silently, the sandbox refunds the order without notifying the merchant', async () => {
    const code = await paid()
    const { body } = await simulate({ payment_code: code, outcome: 'refunded' }, '/simulate/silently')
    expect(body).toEqual({ callbacks: [] })
    expect(merchant.received).toHaveLength(0)
    expect(await record(code)).toMatchObject({ held_cents: 0, returns: [{ status: 'succeeded' }] })
  })

  test('after a forged refund notification, the simulated provider still holds the whole amount of the paid order', async () => {
    const code = await paid()
    await simulate({ payment_code: code, outcome: 'refunded', bad_signature: true })
    expect(merchant.received.length).toBeGreaterThan(0)
    expect(await record(code)).toMatchObject({ held_cents: 4_400_000, returns: [] })
  })

  test('if a payment is reported again with a higher amount, the simulated provider holds this amount', async () => {
    const code = await created()
    const ids: string[] = []
    for (const amount of [1_000_000, 2_000_000, 4_400_000]) {
      await simulate({ payment_code: code, outcome: 'paid', amount })
      const { held_cents, receipts } = await record(code)
      expect([held_cents, receipts.length]).toEqual([amount, 1])
      ids.push(receipts[0].id)
    }
    expect(new Set(ids).size).toBe(1)
    expect(merchant.received.map(({ body }) => [body.gross_amount, body.transaction_id])).toEqual([
      ['10000.00', ids[0]],
      ['20000.00', ids[0]],
      ['44000.00', ids[0]],
    ])
  })

  test('after a chargeback, a repeated payment notification does not change that the provider holds no money', async () => {
    const code = await paid()
    await simulate({ payment_code: code, outcome: 'chargeback' })
    await simulate({ payment_code: code, outcome: 'paid' })
    expect(await record(code)).toMatchObject({ status: 'paid', held_cents: 0 })
  })

  test('after a reversal, the simulated provider holds no money for the order until the payer pays again', async () => {
    const code = await paid()
    await simulate({ payment_code: code, outcome: 'failed' })
    expect(await record(code)).toMatchObject({ held_cents: 0, receipts: [] })
    await simulate({ payment_code: code, outcome: 'paid' })
    expect(await record(code)).toMatchObject({ held_cents: 4_400_000 })
  })
})

describe('the sandbox rejects a simulation request for a refund or chargeback with an invalid field', () => {
  test.each(['/simulate', '/simulate/silently'])(
    'an invalid refund or chargeback at %s is rejected with an error that names the field',
    async path => {
      const code = await created()
      const refused = async (over: Json) => {
        const { status, body } = await simulate({ payment_code: code, ...over }, path)
        return [status, body.field]
      }
      expect(await refused({ outcome: 'refunded' })).toEqual([400, 'outcome'])
      expect(await refused({ outcome: 'partially_refunded' })).toEqual([400, 'amount'])
      await simulate({ payment_code: code, outcome: 'paid' }, '/simulate/silently')
      expect(await refused({ outcome: 'partially_refunded', amount: 4_400_001 })).toEqual([400, 'amount'])
      await simulate({ payment_code: code, outcome: 'refunded' }, '/simulate/silently')
      expect(await refused({ outcome: 'chargeback' })).toEqual([400, 'amount'])
    },
  )
})

describe("the sandbox records the provider's refunds and chargebacks and notifies the merchant", () => {
  const word = {
    notification: (_s: Sandbox, order: Json, returned: Json, url: string) => ({
      url,
      headers: {},
      body: JSON.stringify({ reference: order.reference, kind: returned.kind, status: returned.status }),
      says: returned.status,
    }),
  }
  const open = (over = {}, dataFile?: string) => openFakeSandbox(fakeProvider(over), dataFile)
  /** Returns the path of a new data file. Its directory is removed after the test. */
  function newDataFile(): string {
    const directory = mkdtempSync(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    return join(directory, 'data.sqlite')
  }
  const paidOrder = { status: 'paid', settledAt: 1 } as const

  test('the sandbox records a refund or chargeback even if the provider sends no notification about it', async () => {
    const own = open()
    const order = addOrder(own, [merchant.url], paidOrder)
    expect(await simulateOutcome(own, order, { outcome: 'refunded' })).toEqual([])
    expect(merchant.received).toHaveLength(0)
    expect(own.store.findById(order.id)?.returns).toMatchObject([{ status: 'succeeded' }])
    await closeFakeSandbox(own)
  })

  test('after the sandbox restarts, a refund or chargeback still exists, and its rejected notification is retried', async () => {
    const dataFile = newDataFile()
    const refusing = await startReceiver(() => ({ status: 500 }))
    const returns = { ...word, newId: () => 'R-1' }
    const before = open({ returns }, dataFile)
    const order = addOrder(before, [refusing.url], paidOrder)
    await simulateOutcome(before, order, { outcome: 'chargeback' })
    await closeFakeSandbox(before)
    const after = open({ returns }, dataFile)
    expect(after.store.findById(order.id)?.returns).toMatchObject([{ id: 'R-1', kind: 'chargeback' }])
    after.notifier.sendDueRetries(Date.now() + 60_000)
    await refusing.waitFor(4)
    expect(refusing.received.map(({ body }) => body.status)).toEqual([
      'pending',
      'succeeded',
      'pending',
      'succeeded',
    ])
    await closeFakeSandbox(after)
    await refusing.close()
  })

  test('a refund or chargeback that is pending when the sandbox stops becomes final when the sandbox starts again', async () => {
    const dataFile = newDataFile()
    const returns = { ...word, newId: () => 'R-1' }
    const before = open({ returns }, dataFile)
    const order = addOrder(before, [merchant.url], paidOrder)
    const asked = { kind: 'refund', key: 'K', amountCents: 1, reason: '' } as const
    before.store.recordReturn(order.seq, newReturn(before, order, asked))
    await closeFakeSandbox(before)
    const after = open({ returns }, dataFile)
    resumeReturns(after)
    await merchant.waitFor(2)
    expect(merchant.received.map(({ body }) => body.status)).toEqual(['pending', 'succeeded'])
    expect(after.store.findById(order.id)?.returns).toMatchObject([{ key: 'K', status: 'succeeded' }])
    await closeFakeSandbox(after)
  })

  test('random failures can lose a refund notification, or send an outdated payment notification before the refund notification', async () => {
    const own = open({ returns: { ...word, newId: ({ seq }: Json) => `R-${seq}` } })
    own.chaos = { ...calm, reorder: 1 }
    const order = addOrder(own, [merchant.url], paidOrder)
    await simulateOutcome(own, order, { outcome: 'refunded' })
    expect(merchant.received.map(({ body }) => body.status)).toEqual(['paid', 'pending', 'paid', 'succeeded'])
    own.chaos = { ...calm, lose: 1 }
    merchant.received.length = 0
    await simulateOutcome(own, addOrder(own, [merchant.url], paidOrder), { outcome: 'refunded', amount: 1 })
    expect(merchant.received).toHaveLength(0)
    await closeFakeSandbox(own)
  })
})
