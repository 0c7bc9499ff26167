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

test('a tenant gets fewer inquiry slots at a provider account with few free slots, or if more of its inquiries are in flight there', () => {
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

test("the tenant served last is the last one in ID order, counted from the previous turn's last tenant, with the lowest ID after the highest", () => {
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
