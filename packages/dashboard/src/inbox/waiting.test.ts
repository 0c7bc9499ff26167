import { expect, test } from 'vitest'
import { shownCount, sumOf, waitingOf } from './waiting.ts'

const page = <Item>(items: Item[], next_cursor: string | null = null) => ({ items, next_cursor })

test('a list that goes on has more than its first page tells', () => {
  expect(shownCount(waitingOf(page([1, 2, 3])))).toBe('3')
  expect(shownCount(waitingOf(page([1, 2, 3], 'next')))).toBe('3+')
})

test('where others stand behind those that wait, no more of them wait', () => {
  const isWaiting = (each: string) => each === 'waits'
  expect(shownCount(waitingOf(page(['waits', 'asked'], 'next'), isWaiting))).toBe('1')
  expect(shownCount(waitingOf(page(['waits', 'waits'], 'next'), isWaiting))).toBe('2+')
})

test('where nothing waits, and where it is not known yet, there is no number', () => {
  expect(shownCount(waitingOf(page([])))).toBeUndefined()
  expect(shownCount(waitingOf(undefined))).toBeUndefined()
})

test('the sum of several goes on where one of them does', () => {
  expect(shownCount(sumOf([waitingOf(page([1])), waitingOf(page([1, 2], 'next'))]))).toBe('3+')
})
