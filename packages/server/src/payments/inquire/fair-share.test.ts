// Tests how due payments from several shards are shared among accounts and tenants.

import { describe, expect, test } from 'vitest'
import { type DuePayment, fairShare } from './fair-share.ts'

const due = (accountId: string, tenantId: string, count: number, more: Partial<DuePayment> = {}) =>
  Array.from({ length: count }, (_, index): DuePayment => {
    const id = `${accountId} ${tenantId} ${index + 1}`
    const nextCheckAt = `2026-11-26T10:00:0${index}Z`
    return {
      ...{ accountId, tenantId, id, nextCheckAt, place: index + 1, roomOfAccount: 100, hadTurn: false },
      ...more,
    }
  })
const idsOf = (payments: DuePayment[]) => payments.map(({ id }) => id)

describe('due payments from several shards are shared out fairly', () => {
  test('if slots are scarce, each account gets the same number of slots', () => {
    const chosen = fairShare([...due('a', 't', 9), ...due('b', 't', 9)], 4)
    expect(idsOf(chosen).sort()).toEqual(['a t 1', 'a t 2', 'b t 1', 'b t 2'])
  })

  test("an account's tenants take turns, even if a shard returned many payments for one tenant", () => {
    const chosen = fairShare([...due('a', 'busy', 9), ...due('a', 'quiet', 1)], 3)
    expect(idsOf(chosen).sort()).toEqual(['a busy 1', 'a busy 2', 'a quiet 1'])
  })

  test('the number of payments chosen for an account never exceeds its free slots, even if every shard returned enough payments for all of them', () => {
    const chosen = fairShare(
      [...due('a', 't', 2), ...due('a', 'u', 2)].map(each => ({ ...each, roomOfAccount: 2 })),
      9,
    )
    expect(idsOf(chosen).sort()).toEqual(['a t 1', 'a u 1'])
  })

  test('the next turn goes to the tenant after the one served last', () => {
    const chosen = fairShare([...due('a', 't', 1, { hadTurn: true }), ...due('a', 'u', 1)], 1)
    expect(idsOf(chosen)).toEqual(['a u 1'])
  })
})
