import { expect, test } from 'vitest'
import { type Difference, nothingTold, type Summary, withLines } from './reconciliation.ts'

const difference = { kind: 'amount', reference: 'order-1' } as Difference
const summary = { balanced: false } as Summary

test('differences are kept in the order in which they are told, over however many pieces', () => {
  const first = withLines(nothingTold, [{ type: 'difference', ...difference, reference: 'a' }])
  const second = withLines(first, [
    { type: 'difference', ...difference, reference: 'b' },
    { type: 'progress', done: 2, total: 2 },
    { type: 'summary', ...summary },
  ])
  expect(second.differences.map(({ reference }) => reference)).toEqual(['a', 'b'])
  expect(second.progress).toMatchObject({ done: 2, total: 2 })
  expect(second.summary).toMatchObject(summary)
})

test('progress alone leaves the list the same object, so that a table need not be drawn again', () => {
  const before = withLines(nothingTold, [{ type: 'difference', ...difference }])
  expect(withLines(before, [{ type: 'progress', done: 1, total: 2 }]).differences).toBe(before.differences)
})

test('what broke off is no whole', () => {
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'service unavailable: try again' }
  expect(() => withLines(nothingTold, [{ type: 'error', error }])).toThrow(error.message)
})
