import { expect, test } from 'vitest'
import { shownCount, sumOf, waitingOf } from './waiting.ts'

const page = <Item>(items: Item[], next_cursor: string | null = null) => ({ items, next_cursor })

test('the count of Inbox items that wait for the Owner ends with a plus if the list has more pages', () => {
  expect(shownCount(waitingOf(page([1, 2, 3])))).toBe('3')
  expect(shownCount(waitingOf(page([1, 2, 3], 'next')))).toBe('3+')
})

test('the count of waiting Inbox items has no plus sign if the first page also shows other items, because waiting items come first', () => {
  const isWaiting = (each: string) => each === 'waits'
  expect(shownCount(waitingOf(page(['waits', 'asked'], 'next'), isWaiting))).toBe('1')
  expect(shownCount(waitingOf(page(['waits', 'waits'], 'next'), isWaiting))).toBe('2+')
})

test('the Inbox shows no count if no item waits for the Owner’s decision, or if the count has not been loaded yet', () => {
  expect(shownCount(waitingOf(page([])))).toBeUndefined()
  expect(shownCount(waitingOf(undefined))).toBeUndefined()
})

test('if one of several Inbox counts covers only the first page of its list, the sum of the counts is shown with a plus sign', () => {
  expect(shownCount(sumOf([waitingOf(page([1])), waitingOf(page([1, 2], 'next'))]))).toBe('3+')
})
