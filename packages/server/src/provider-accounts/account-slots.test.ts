import { describe, expect, test } from 'vitest'
import { type AccountSlots, accountSlots } from './account-slots.ts'

const takeAll = (places: AccountSlots, accountId: string): number => {
  let taken = 0
  while (places.take(accountId)) taken += 1
  return taken
}
function silence(places: AccountSlots, accountId: string): void {
  places.take(accountId)
  places.release(accountId, false)
}

describe('one provider account, or all unresponsive accounts together, can use at most half of the slots for status inquiries', () => {
  test('one provider account uses at most half of the slots for status inquiries', () => {
    const places = accountSlots(10)
    expect(['a', 'b', 'c'].map(account => takeAll(places, account))).toEqual([5, 5, 0])
    expect(places.freeSlots()).toBe(0)
    places.release('a', true)
    expect(takeAll(places, 'c')).toBe(1)
  })

  test('all unresponsive provider accounts together use at most half of the slots for status inquiries', () => {
    const places = accountSlots(10)
    for (const account of ['a', 'b', 'c']) silence(places, account)
    expect(places.take('a') && places.take('b')).toBe(true)
    expect(takeAll(places, 'c')).toBe(3)
    expect(places.take('a')).toBe(false)
    expect(takeAll(places, 'answering')).toBe(5)
  })

  test('unresponsive provider accounts share half of the slots until they respond again', () => {
    const places = accountSlots(10)
    for (const account of ['a', 'b']) silence(places, account)
    expect(takeAll(places, 'a')).toBe(5)
    expect(places.take('b')).toBe(false)
    places.release('a', true)
    expect(takeAll(places, 'b')).toBe(5)
  })

  test('free slots are listed only for accounts with requests in flight or an unanswered last request', () => {
    const places = accountSlots(10)
    expect(places.freeSlotsOfAccounts()).toEqual([])
    silence(places, 'silent')
    for (const _ of 'abc') places.take('answering')
    expect(places.freeSlotsOfAccounts()).toEqual([
      { accountId: 'answering', room: 2 },
      { accountId: 'silent', room: 5 },
    ])
    for (const _ of 'abc') places.release('answering', true)
    places.take('silent')
    places.release('silent', true)
    expect(places.freeSlotsOfAccounts()).toEqual([])
  })
})
