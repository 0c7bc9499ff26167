import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { now } from '../../../test/support/make.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { sweepDueRefunds } from '../../../test/support/sweep-due-refunds.ts'
import { listEntriesOfPayment } from '../../ledger/ledger.sql.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { createRefund } from './create-refund.ts'
import { resolveRefund } from './resolve-refund.ts'

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

test('a failed refund without a reason from the operator gets a standard reason', async () => {
  const reason = 'the operator recorded the failure'
  scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
  for (const given of [{}, { reason: '' }]) {
    const { id, reference } = await request()
    expect(await resolveRefund(scene.app, null, id, { outcome: 'failed', ...given })).toMatchObject({
      status: 'failed',
      failureReason: reason,
    })
    expect(await scene.balance()).toBe(100_000n)
    const { tenantId, id: paymentId } = scene.payment
    const credit = (await listEntriesOfPayment(db, tenantId, paymentId)).at(-1)
    expect(credit?.reason).toBe(`refund ${reference} failed: ${reason}`)
  }
})

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

  test('the outcome of a refund that the provider accepted can be recorded only after its inquiries end', async () => {
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

  test('a late response to the refund request does not debit a refund that a callback already reported', async () => {
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

  test('a refund resolved as failed during an inquiry is debited again if the inquiry shows its success', async () => {
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

  test('a refund of uncredited money that succeeds after it was resolved as failed debits nothing', async () => {
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

  test('a late response with the status pending does not debit a refund that already failed', async () => {
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

describe('reports about a failed refund do not debit the merchant for money that the payer did not get', () => {
  const named = async (status: MoneyReturn['status']) => {
    const [requested] = await scene.refunds()
    await scene.report({ id: 'rf-1', reference: requested?.reference ?? '', amount: 20_000n, status })
  }
  const statuses = async () => (await scene.refunds()).map(({ status }) => status)
  /** The Owner records the refund as failed after its response was lost. */
  async function failByOwner(): Promise<void> {
    scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
    const { id } = await request()
    await resolveAs('failed', id)
  }
  /** The provider's response to the refund request contains its ID, but an inquiry later does not find the refund. */
  async function failByOwnerAfterAcceptance(): Promise<void> {
    scene.respond = () => ({ type: 'pending', id: 'rf-1' })
    const { id } = await request()
    scene.state.at = after(now, 72 * HOUR_MS)
    await resolveAs('failed', id)
  }
  async function failAtProvider(): Promise<void> {
    scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
    await request()
    await named('failed')
  }

  test.each(['pending', 'succeeded'] as const)(
    'if the provider reports a refund as %s after the Owner recorded it as failed, the refund is debited again, and a later failure is credited back',
    async status => {
      await failByOwner()
      await named(status)
      expect([await statuses(), await scene.balance()]).toEqual([['failed', status], 80_000n])
      await named('failed')
      expect([await statuses(), await scene.balance()]).toEqual([['failed', 'failed'], 100_000n])
      for (const old of ['pending', 'succeeded', 'failed'] as const) await named(old)
      expect([await statuses(), await scene.balance()]).toEqual([['failed', 'failed'], 100_000n])
    },
  )

  test('if a refund without an ID that was debited again fails, the amount is credited back', async () => {
    scene.respond = async () => {
      scene.inquire = () => ({ status: { type: 'absent' }, returns: [] })
      scene.state.at = after(now, 10_000)
      await sweepDueRefunds(scene.app)
      await resolveAs('failed', (await scene.refunds())[0]?.id ?? '')
      return { type: 'succeeded', id: null }
    }
    await request()
    expect(await scene.balance()).toBe(80_000n)
    await named('failed')
    expect([await statuses(), await scene.balance()]).toEqual([['failed', 'failed'], 100_000n])
  })

  test.each([
    ['a callback', failAtProvider],
    [
      'an inquiry',
      async () => {
        scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
        await request()
        scene.inquire = () => ({ status: { type: 'failed', id: 'rf-1' }, returns: [] })
        scene.state.at = after(now, 10_000)
        await sweepDueRefunds(scene.app)
      },
    ],
    [
      'a callback without an ID',
      async () => {
        scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
        await request()
        await scene.report({ id: null, amount: 20_000n, status: 'failed' })
      },
    ],
    [
      "a callback, after the Owner's decision,",
      async () => {
        await failByOwner()
        await named('failed')
      },
    ],
  ])(
    'if %s has reported that a refund failed, an older report that it is pending changes nothing, and a report of its success waits for the Owner',
    async (_, fail) => {
      await fail()
      await named('pending')
      expect([await statuses(), await scene.balance(), await scene.records()]).toEqual([
        ['failed'],
        100_000n,
        [],
      ])
      for (let times = 0; times < 2; times++) await named('succeeded')
      expect([await statuses(), await scene.balance()]).toEqual([['failed'], 100_000n])
      expect(await scene.records()).toMatchObject([{ kind: 'refund', status: 'open', amount: 20_000n }])
      await named('failed')
      expect(await scene.records()).toMatchObject([{ status: 'dismissed', returnStatus: 'failed' }])
    },
  )

  test('a late success response waits for the Owner if a callback has reported the refund as failed', async () => {
    scene.respond = async () => {
      await named('failed')
      return { type: 'succeeded', id: 'rf-1' }
    }
    await request()
    expect([await statuses(), await scene.balance()]).toEqual([['failed'], 100_000n])
    expect(await scene.records()).toMatchObject([{ kind: 'refund', status: 'open', receipt: 'rf-1' }])
  })

  test('a repeated success report about a refund that succeeded and then failed changes nothing', async () => {
    await request()
    await named('failed')
    await named('succeeded')
    expect([await statuses(), await scene.balance(), await scene.records()]).toEqual([
      ['failed'],
      100_000n,
      [],
    ])
  })

  test('a refund recorded as failed after the provider accepted it is debited again only when it succeeds', async () => {
    await failByOwnerAfterAcceptance()
    await named('pending')
    expect([await statuses(), await scene.balance()]).toEqual([['failed'], 100_000n])
    await named('succeeded')
    expect([await statuses(), await scene.balance()]).toEqual([['failed', 'succeeded'], 80_000n])
  })

  test('a refund whose request was rejected is debited again if the provider reports it as successful', async () => {
    scene.respond = () => ({ type: 'refused', reason: 'not allowed', isRetriable: false })
    await request()
    await named('succeeded')
    expect([await statuses(), await scene.balance()]).toEqual([['failed', 'succeeded'], 80_000n])
  })
})
