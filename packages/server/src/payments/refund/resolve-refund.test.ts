import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { now } from '../../../test/support/make.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { createRefund } from './create-refund.ts'
import { resolveRefund } from './resolve-refund.ts'
import { sweepDueRefunds } from './sweep-due-refunds.ts'

const { db } = await testDatabase()

const HOUR_MS = 3_600_000
let scene: ReturnType<typeof refundScene>

beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
  await scene.receive(100_000n, 'r-1')
})

const request = async () =>
  (
    await createRefund(
      scene.app,
      { ...scene.key(), mode: 'live' },
      newId(),
      { amount: 20_000 },
      { byUser: false, unprovenUpTo: null },
    )
  ).refund
const resolveAs = (outcome: 'failed' | 'succeeded', id: string) =>
  resolveRefund(scene.app, null, id, { outcome, reason: 'looked at' })

describe('the Owner cannot resolve a refund while the provider determines its outcome', () => {
  test.each([
    ['chargeback', 'failed'],
    ['chargeback', 'succeeded'],
    ['refund', 'failed'],
    ['refund', 'succeeded'],
  ] as const)(
    'the operator cannot record a pending %s that was made at the provider as %s, and the amount stays debited',
    async (kind, outcome) => {
      await scene.report({ kind, id: 'rp-1', amount: 20_000n, status: 'pending' })
      const [pending] = await scene.refunds()
      scene.state.at = after(now, 100 * HOUR_MS)
      await expect(resolveAs(outcome, pending?.id ?? '')).rejects.toMatchObject({
        code: 'INVALID_STATE_TRANSITION',
        message: expect.stringContaining(`this ${kind} was made at the provider`),
      })
      expect([await scene.refunds(), await scene.balance()]).toEqual([[pending], 80_000n])
      await scene.report({ kind, id: 'rp-1', amount: 20_000n, status: 'succeeded' })
      expect(await scene.refunds()).toMatchObject([{ status: 'succeeded' }])
      expect(await scene.balance()).toBe(80_000n)
    },
  )

  test('if the provider has accepted a refund, the operator can record its outcome only after the inquiries about the refund have ended', async () => {
    scene.respond = () => ({ type: 'pending', id: 'rf-1' })
    const { id } = await request()
    scene.state.at = after(now, 72 * HOUR_MS - 1)
    await expect(resolveAs('failed', id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      message: expect.stringContaining(after(now, 72 * HOUR_MS).toISOString()),
    })
    expect([await scene.refunds(), await scene.balance()]).toMatchObject([[{ status: 'pending' }], 80_000n])
    scene.state.at = after(now, 72 * HOUR_MS)
    expect(await resolveAs('failed', id)).toMatchObject({ status: 'failed' })
    expect(await scene.balance()).toBe(100_000n)
  })

  test('a refund cannot be resolved while its request is in flight', async () => {
    scene.respond = async () => {
      const [inFlight] = await scene.refunds()
      await expect(resolveAs('failed', inFlight?.id ?? '')).rejects.toThrow('may still be making this refund')
      return { type: 'succeeded', id: 'rf-1' }
    }
    expect(await request()).toMatchObject({ status: 'succeeded' })
  })
})

test("if the provider's response to a refund request is lost, the Owner can resolve the refund immediately", async () => {
  scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
  const { id } = await request()
  expect(await resolveAs('failed', id)).toMatchObject({ status: 'failed', failureReason: 'looked at' })
  expect(await scene.balance()).toBe(100_000n)
})

describe('a refund that the Owner recorded as failed is debited again if the provider later reports that it succeeded', () => {
  /**
   * Simulates that the refund request is still in flight when an inquiry does not find the refund and the Owner then
   * resolves it as failed.
   */
  async function resolveInFlight(): Promise<void> {
    scene.inquire = () => ({ status: { type: 'absent' }, returns: [] })
    scene.state.at = after(now, 10_000)
    await sweepDueRefunds(scene.app)
    await resolveAs('failed', (await scene.refunds())[0]?.id ?? '')
    expect(await scene.balance()).toBe(100_000n)
  }

  test.each(['rf-1', null])(
    "if a refund succeeds after the Owner resolved it as failed, one more refund is debited, even if a callback also reports it (provider's ID: %s)",
    async id => {
      scene.respond = async () => {
        await resolveInFlight()
        return { type: 'succeeded', id }
      }
      const { reference } = await request()
      const both = [
        { status: 'failed', origin: 'merchant' },
        { status: 'succeeded', origin: 'provider', amount: 20_000n },
      ]
      expect([await scene.refunds(), await scene.balance()]).toMatchObject([both, 80_000n])
      await scene.report({ id: 'rf-1', reference, amount: 20_000n })
      expect([await scene.refunds(), await scene.balance()]).toMatchObject([both, 80_000n])
      expect(await scene.webhooks()).toEqual(['payment.paid', 'refund.failed', 'payment.refunded'])
    },
  )

  test("if a callback has already reported a refund, the provider's late response to the refund request does not debit it again", async () => {
    scene.respond = async () => {
      await resolveInFlight()
      const [failed] = await scene.refunds()
      await scene.report({ id: 'rf-1', reference: failed?.reference ?? '', amount: 20_000n })
      return { type: 'succeeded', id: 'rf-1' }
    }
    await request()
    expect(await scene.refunds()).toHaveLength(2)
    expect(await scene.balance()).toBe(80_000n)
  })

  test('if the Owner resolves a refund as failed, but an inquiry still in progress shows that it succeeded, a second refund is recorded and debited', async () => {
    scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
    const { id } = await request()
    const { refunds } = scene.state.provider
    scene.state.provider.refunds = {
      ...refunds,
      inquireRefund: async () => {
        await resolveAs('failed', id)
        return { status: { type: 'succeeded', id: 'rf-1' }, returns: [] }
      },
    } as never
    scene.state.at = after(now, 10_000)
    await sweepDueRefunds(scene.app)
    expect(await scene.refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
    expect(await scene.balance()).toBe(80_000n)
  })

  test('if a refund of uncredited money succeeds after the Owner resolved it as failed, nothing is debited, and the reported refund waits for the Owner', async () => {
    await scene.begin()
    await scene.receive(40_000n, 'r-1')
    scene.respond = async () => {
      scene.inquire = () => ({ status: { type: 'absent' }, returns: [] })
      scene.state.at = after(now, 10_000)
      await sweepDueRefunds(scene.app)
      await resolveAs('failed', (await scene.refunds())[0]?.id ?? '')
      return { type: 'succeeded', id: 'rf-1' }
    }
    await scene.giveBack()
    expect(await scene.records()).toMatchObject([
      { kind: 'underpaid', status: 'open' },
      { kind: 'refund', status: 'open', receipt: 'rf-1', amount: 40_000n },
    ])
    expect(await scene.refunds()).toMatchObject([{ status: 'failed' }])
    expect(await scene.entries()).toEqual([])
  })

  test('if the provider has already reported a refund as failed, a late response to the refund request that reports it as pending debits nothing', async () => {
    scene.respond = async () => {
      const [requested] = await scene.refunds()
      const { reference } = requested ?? { reference: '' }
      await scene.report({ id: 'rf-1', reference, amount: 20_000n, status: 'failed' })
      return { type: 'pending', id: 'rf-1' }
    }
    await request()
    expect(await scene.refunds()).toMatchObject([{ status: 'failed' }])
    expect(await scene.balance()).toBe(100_000n)
  })
})
