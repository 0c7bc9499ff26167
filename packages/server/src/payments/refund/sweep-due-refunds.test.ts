import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertDueRefunds } from '../../../test/support/due-refunds.ts'
import { now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import {
  type ProviderAccount,
  RateLimitedError,
  type Refund,
  type RefundInquiryResult,
} from '../../providers/provider.ts'
import type { RefundOutcome } from '../../providers/refund.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { claimDueRefunds } from './due-refunds.sql.ts'
import { chooseInTurns } from './refund-turns.ts'
import { REFUND_CLAIM_MS } from './send-refund.ts'
import { dueRefundSweep } from './sweep-due-refunds.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof recordingApp>
/** The refunds about which the provider received an inquiry or a request, by provider account. */
let called: { accountId: string; reference: string }[]
let inquire: (accountId: string) => RefundInquiryResult | Promise<RefundInquiryResult>
const pending: RefundInquiryResult = { status: { type: 'pending', id: 'rf-1' }, returns: [] }

beforeEach(async () => {
  await db.raw('update refunds set next_check_at = null where next_check_at is not null')
  scene = recordingApp(db)
  called = []
  inquire = () => pending
  const call = (account: ProviderAccount<unknown>, { reference }: Refund) =>
    void called.push({ accountId: account.id, reference })
  scene.state.provider = {
    refunds: {
      async refund(account: ProviderAccount<unknown>, refund: Refund): Promise<RefundOutcome> {
        call(account, refund)
        return { type: 'pending', id: null }
      },
      async inquireRefund(account: ProviderAccount<unknown>, refund: Refund) {
        call(account, refund)
        return inquire(account.id)
      },
    },
  } as never
})

const calledAt = (accountId: string) =>
  called.filter(each => each.accountId === accountId).map(({ reference }) => reference)
const claim = (freeSlots: number, slotsOfAccounts: { accountId: string; room: number }[] = []) =>
  claimDueRefunds(db, {
    ...{ now, until: after(now, 60_000), freeSlots },
    ...{ slotsOfAccounts, slotsOfOtherAccounts: 50 },
  })
const referencesOf = (refunds: { reference: string }[]) => refunds.map(({ reference }) => reference).sort()

describe('the sweep of due refunds keeps the rate limits of the provider accounts', () => {
  test('if the rate limit rejects an inquiry about a refund, the account is paused', async () => {
    const [limited, other] = [newId(), newId()]
    const limits = inquiryLimits(scene.app.clock)
    const sweep = dueRefundSweep(scene.app, limits)
    await insertDueRefunds(db, limited, 1)
    inquire = () => {
      throw new RateLimitedError(600_000)
    }
    await sweep.begin()
    await sweep.ended()
    expect(limits.pausedUntil(limited)).toEqual(after(now, 600_000))
    const { rows } = await db.raw(
      'select failure_reason from refunds where provider_account_id = ? and failure_reason is not null',
      [limited],
    )
    expect(rows).toEqual([])

    inquire = () => pending
    const waiting = await insertDueRefunds(db, limited, 1, { requestedAt: null })
    const continued = await insertDueRefunds(db, other, 1)
    called = []
    await sweep.begin()
    await sweep.ended()
    expect([calledAt(limited), calledAt(other)]).toEqual([[], continued])
    scene.state.at = after(now, 600_000)
    await sweep.begin()
    await sweep.ended()
    expect(calledAt(limited)).toEqual(expect.arrayContaining(waiting))
  })

  test.each(['paused before the inquiry', 'paused by the response to the inquiry'])(
    'after 72 hours, a refund waits for the Owner even if its account is %s',
    async when => {
      const account = newId()
      const limits = inquiryLimits(scene.app.clock)
      await insertDueRefunds(db, account, 1, { requestedAt: after(now, -73 * 3_600_000) })
      if (when === 'paused before the inquiry') limits.pause(account, 3_600_000)
      inquire = () => {
        throw new RateLimitedError(600_000)
      }
      const sweep = dueRefundSweep(scene.app, limits)
      await sweep.begin()
      await sweep.ended()
      const { rows } = await db.raw(
        'select status, next_check_at, failure_reason from refunds where provider_account_id = ?',
        [account],
      )
      expect(rows).toEqual([
        { status: 'pending', next_check_at: null, failure_reason: expect.stringContaining('rate limit') },
      ])
    },
  )

  test('inquiries about refunds use their own share of the rate limit and what payment checks leave unused', async () => {
    const account = newId()
    scene.state.provider = { ...scene.state.provider, inquiryLimits: { perMinute: { test: 24, live: 24 } } }
    inquire = () => ({ status: { type: 'succeeded', id: newId() }, returns: [] })
    const sweep = dueRefundSweep(scene.app)
    const all = await insertDueRefunds(db, account, 3)
    await sweep.begin()
    await sweep.ended()
    expect(called).toHaveLength(2)
    scene.state.at = after(now, REFUND_CLAIM_MS)
    await sweep.begin()
    await sweep.ended()
    expect(calledAt(account).sort()).toEqual(all)
  })

  test('a refund that was not requested yet is requested although the rate limit allows no inquiry', async () => {
    const account = newId()
    scene.state.provider = { ...scene.state.provider, inquiryLimits: { perMinute: { test: 24, live: 24 } } }
    const sweep = dueRefundSweep(scene.app)
    await insertDueRefunds(db, account, 4)
    await sweep.begin()
    await sweep.ended()
    called = []
    const unsent = await insertDueRefunds(db, account, 1, { requestedAt: null })
    await insertDueRefunds(db, account, 1)
    await sweep.begin()
    await sweep.ended()
    expect(calledAt(account)).toEqual(unsent)
  })

  test('due refunds are not claimed while the rate limit allows no inquiry', async () => {
    const account = newId()
    scene.state.provider = {
      ...scene.state.provider,
      inquiryLimits: { perMinute: { test: 1_200, live: 1_200 } },
    }
    const sweep = dueRefundSweep(scene.app)
    inquire = () => ({ status: { type: 'succeeded', id: newId() }, returns: [] })
    await insertDueRefunds(db, account, 1)
    await sweep.begin()
    await sweep.ended()
    const all = await insertDueRefunds(db, account, 12)
    await sweep.begin()
    await sweep.ended()
    expect(called).toHaveLength(10)
    scene.state.at = after(now, 3_000)
    await sweep.begin()
    await sweep.ended()
    expect(calledAt(account)).toEqual(expect.arrayContaining(all))
  })
})

describe('a slow provider account does not delay the refunds of other accounts', () => {
  test('while an account with 60 due refunds does not respond, a due refund of another account is requested', async () => {
    const [slow, other] = [newId(), newId()]
    let respond = (_: RefundInquiryResult) => {}
    const response = new Promise<RefundInquiryResult>(resolve => {
      respond = resolve
    })
    inquire = accountId => (accountId === slow ? response : pending)
    await insertDueRefunds(db, slow, 60)
    const unsent = await insertDueRefunds(db, other, 1, { requestedAt: null, nextCheckAt: after(now, 1) })
    scene.state.at = after(now, 1)
    const sweep = dueRefundSweep(scene.app)
    while (await sweep.begin());
    await vi.waitUntil(() => called.length === 51, 120_000)
    expect([calledAt(other), calledAt(slow).length]).toEqual([unsent, 50])
    respond(pending)
    await sweep.ended()
    while (await sweep.begin());
    await sweep.ended()
    expect(new Set(calledAt(slow)).size).toBe(60)
  })

  test("a claim of due refunds takes an account's earliest refunds, up to its free slots", async () => {
    const [full, busy] = [newId(), newId()]
    await insertDueRefunds(db, full, 2)
    const [first = ''] = await insertDueRefunds(db, busy, 1, { nextCheckAt: after(now, -2) })
    const [second = ''] = await insertDueRefunds(db, busy, 1, { nextCheckAt: after(now, -1) })
    await insertDueRefunds(db, busy, 1)
    const rooms = [
      { accountId: full, room: 0 },
      { accountId: busy, room: 2 },
    ]
    expect(referencesOf(await claim(50, rooms))).toEqual([first, second].sort())
  })

  test('if more refunds are due than there are free slots, the accounts take turns', async () => {
    const [large, small] = [newId(), newId()]
    const [first = ''] = await insertDueRefunds(db, large, 5, { nextCheckAt: after(now, -1) })
    const [last = ''] = await insertDueRefunds(db, small, 1)
    const claimed = referencesOf(await claim(2))
    expect(claimed).toHaveLength(2)
    expect(claimed).toContain(last)
    expect(claimed.filter(reference => reference.startsWith(first.slice(0, -1)))).toHaveLength(1)
  })

  test('on a distributed database, due refunds of several shards are chosen by the same rules as on a single server', () => {
    const due = (accountId: string, atMs: number, room = 50) => ({
      ...{ tenantId: newId(), id: `${accountId}-${atMs}`, accountId, atMs, room },
    })
    const all = [due('a', 3, 2), due('b', 9), due('a', 1, 2), due('b', 4), due('a', 2, 2)]
    const chosen = (freeSlots: number) => chooseInTurns(all, freeSlots).map(({ id }) => id)
    expect(chosen(50)).toEqual(['a-1', 'b-4', 'a-2', 'b-9'])
    expect(chosen(3)).toEqual(['a-1', 'b-4', 'a-2'])
  })
})
