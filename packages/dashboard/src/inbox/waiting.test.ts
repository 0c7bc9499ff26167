import { expect, test } from 'vitest'
import { shownCount, sumOf, waitingOf } from './waiting.ts'

const page = <Item>(items: Item[], next_cursor: string | null = null) => ({ items, next_cursor })

test('the count of Inbox items that wait for the Owner ends with a plus if the list has more pages', () => {
  expect(shownCount(waitingOf(page([1, 2, 3])))).toBe('3')
  expect(shownCount(waitingOf(page([1, 2, 3], 'next')))).toBe('3+')
})

test("the count of waiting Inbox items has no plus if the list's first page also contains items that need no decision", () => {
  const isWaiting = (each: string) => each === 'waits'
  expect(shownCount(waitingOf(page(['waits', 'asked'], 'next'), isWaiting))).toBe('1')
  expect(shownCount(waitingOf(page(['waits', 'waits'], 'next'), isWaiting))).toBe('2+')
})

test('the Inbox shows no count if no item waits for the Owner’s decision, or if the count has not been loaded yet', () => {
  expect(shownCount(waitingOf(page([])))).toBeUndefined()
  expect(shownCount(waitingOf(undefined))).toBeUndefined()
})

test('the sum of several Inbox counts ends with a plus if one of these counts is incomplete', () => {
  expect(shownCount(sumOf([waitingOf(page([1])), waitingOf(page([1, 2], 'next'))]))).toBe('3+')
})
