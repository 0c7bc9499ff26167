import { expect, test } from 'vitest'
import { tenantSlots } from './tenant-slots.ts'

const [account, other] = ['account', 'other']
const roomOf = (slots: ReturnType<typeof tenantSlots>, room: number) =>
  slots.freeSlots([{ accountId: account, room }])

test('even if three tenants use as many slots for inquiries at an account as they are allowed, a fourth tenant still gets slots', () => {
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

test("a tenant gets fewer inquiry slots if the provider account has few free slots or if many of the tenant's inquiries are in flight", () => {
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

test('tenants are served in ID order, starting after the last tenant of the previous turn; the lowest ID follows the highest', () => {
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
