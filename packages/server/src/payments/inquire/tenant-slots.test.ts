import { expect, test } from 'vitest'
import { tenantSlots } from './tenant-slots.ts'

const [account, other] = ['account', 'other']
const roomOf = (slots: ReturnType<typeof tenantSlots>, room: number) =>
  slots.freeSlots([{ accountId: account, room }])

test('three tenants that use all their inquiry slots at an account leave slots for a fourth tenant', () => {
  const slots = tenantSlots()
  let free = 250
  for (const tenantId of ['a', 'b', 'c']) {
    slots.take({ accountId: account, tenantId })
    free -= 1
    for (;;) {
      const room = roomOf(slots, free).find(each => each.tenantId === tenantId)?.room ?? 0
      if (room === 0) break
      for (let n = 0; n < room; n++) slots.take({ accountId: account, tenantId })
      free -= room
    }
    expect(free).toBeGreaterThan(0)
  }
})

test("a tenant's inquiry slots depend on the account's free slots and the tenant's inquiries in flight", () => {
  const slots = tenantSlots()
  const of = { accountId: account, tenantId: 'a' }
  for (let n = 0; n < 4; n++) slots.take(of)
  expect(roomOf(slots, 4)).toEqual([{ ...of, room: 2 }])
  expect(slots.freeSlots([{ accountId: other, room: 4 }])).toEqual([])
  for (let n = 0; n < 3; n++) slots.free(of)
  expect(roomOf(slots, 7)).toEqual([{ ...of, room: 5 }])
  slots.free(of)
  expect(roomOf(slots, 8)).toEqual([])
})

test('tenants are served in circular ID order, starting after the last tenant of the previous turn', () => {
  const slots = tenantSlots()
  const lastAfter = (tenantIds: string[]) => {
    slots.recordTurn(account, tenantIds)
    return slots.lastServed().find(each => each.accountId === account)?.tenantId
  }
  expect(lastAfter(['b', 'a'])).toBe('b')
  expect(lastAfter(['c', 'd'])).toBe('d')
  expect(lastAfter(['e', 'a'])).toBe('a')
  slots.recordTurn(other, ['x'])
  expect(lastAfter(['b', 'c'])).toBe('c')
})
