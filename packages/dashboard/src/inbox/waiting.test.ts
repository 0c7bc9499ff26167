import { expect, test } from 'vitest'
import { shownCount, sumOf, waitingOf } from './waiting.ts'

const page = <Item>(items: Item[], next_cursor: string | null = null) => ({ items, next_cursor })

test('the Inbox count of waiting items has a plus sign if the list has more pages', () => {
  expect(shownCount(waitingOf(page([1, 2, 3])))).toBe('3')
  expect(shownCount(waitingOf(page([1, 2, 3], 'next')))).toBe('3+')
})

test('the Inbox count has no plus sign if the first page also shows items that do not wait', () => {
  const isWaiting = (each: string) => each === 'waits'
  expect(shownCount(waitingOf(page(['waits', 'asked'], 'next'), isWaiting))).toBe('1')
  expect(shownCount(waitingOf(page(['waits', 'waits'], 'next'), isWaiting))).toBe('2+')
})

test('the Inbox shows no count if it is zero or not loaded yet', () => {
  expect(shownCount(waitingOf(page([])))).toBeUndefined()
  expect(shownCount(waitingOf(undefined))).toBeUndefined()
})

test('the sum of Inbox counts has a plus sign if one list has more pages', () => {
  expect(shownCount(sumOf([waitingOf(page([1])), waitingOf(page([1, 2], 'next'))]))).toBe('3+')
})
