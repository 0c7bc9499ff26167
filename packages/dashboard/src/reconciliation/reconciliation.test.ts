import { expect, test } from 'vitest'
import { type Difference, nothingTold, type Summary, withLines } from './reconciliation.ts'

const difference = { kind: 'amount', reference: 'order-1' } as Difference
const summary = { balanced: false } as Summary

test('reconciliation differences from several parts of the stream are listed in order of arrival', () => {
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

test('a progress message does not make the dashboard render the list of reconciliation differences again', () => {
  const before = withLines(nothingTold, [{ type: 'difference', ...difference }])
  expect(withLines(before, [{ type: 'progress', done: 1, total: 2 }]).differences).toBe(before.differences)
})

test('if a reconciliation report fails midway, reading it throws the error that the service sent', () => {
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'service unavailable: try again' }
  expect(() => withLines(nothingTold, [{ type: 'error', error }])).toThrow(error.message)
})
