// Tests how accounts and tenants share the slots for status inquiries if the due payments are on several
// shards.

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

describe('free inquiry slots are divided fairly among accounts and their tenants across all shards', () => {
  test('if more payments are due than inquiry slots are free, each account gets equally many slots', () => {
    const chosen = fairShare([...due('a', 't', 9), ...due('b', 't', 9)], 4)
    expect(idsOf(chosen).sort()).toEqual(['a t 1', 'a t 2', 'b t 1', 'b t 2'])
  })

  test("payments are chosen from an account's tenants in turn, even if a shard returned many of one tenant", () => {
    const chosen = fairShare([...due('a', 'busy', 9), ...due('a', 'quiet', 1)], 3)
    expect(idsOf(chosen).sort()).toEqual(['a busy 1', 'a busy 2', 'a quiet 1'])
  })

  test("an account's chosen due payments never exceed its free slots, however many each shard returned", () => {
    const chosen = fairShare(
      [...due('a', 't', 2), ...due('a', 'u', 2)].map(each => ({ ...each, roomOfAccount: 2 })),
      9,
    )
    expect(idsOf(chosen).sort()).toEqual(['a t 1', 'a u 1'])
  })

  test('the next free slot for a status inquiry goes to the tenant after the tenant served last', () => {
    const chosen = fairShare([...due('a', 't', 1, { hadTurn: true }), ...due('a', 'u', 1)], 1)
    expect(idsOf(chosen)).toEqual(['a u 1'])
  })
})
