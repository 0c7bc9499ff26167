import { expect, test } from 'vitest'
import { tenantSlots } from './tenant-slots.ts'

const [account, other] = ['account', 'other']
const roomOf = (shares: ReturnType<typeof tenantSlots>, room: number) =>
  shares.rooms([{ accountId: account, room }])

test('however many tenants fill an account one after another, some slots for checks are left for the next tenant', () => {
  const shares = tenantSlots()
  let free = 250
  for (const tenantId of ['a', 'b', 'c']) {
    shares.take({ accountId: account, tenantId })
    free -= 1
    for (;;) {
      const room = roomOf(shares, free).find(each => each.tenantId === tenantId)?.room ?? 0
      if (room === 0) break
      for (let n = 0; n < room; n++) shares.take({ accountId: account, tenantId })
      free -= room
    }
    expect(free).toBeGreaterThan(0)
  }
})

test("a tenant's share of the slots at an account counts only its checks in flight at that account", () => {
  const shares = tenantSlots()
  const of = { accountId: account, tenantId: 'a' }
  for (let n = 0; n < 4; n++) shares.take(of)
  expect(roomOf(shares, 4)).toEqual([{ ...of, room: 2 }])
  expect(shares.rooms([{ accountId: other, room: 4 }])).toEqual([])
  for (let n = 0; n < 3; n++) shares.free(of)
  expect(roomOf(shares, 7)).toEqual([{ ...of, room: 5 }])
  shares.free(of)
  expect(roomOf(shares, 8)).toEqual([])
})

test('tenants get slots in the order of their ids, starting after the last tenant served and wrapping around', () => {
  const shares = tenantSlots()
  const lastAfter = (tenantIds: string[]) => {
    shares.served(account, tenantIds)
    return shares.last().find(each => each.accountId === account)?.tenantId
  }
  expect(lastAfter(['b', 'a'])).toBe('b')
  expect(lastAfter(['c', 'd'])).toBe('d')
  expect(lastAfter(['e', 'a'])).toBe('a')
  shares.served(other, ['x'])
  expect(lastAfter(['b', 'c'])).toBe('c')
})
