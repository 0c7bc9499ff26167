import { expect, test } from 'vitest'
import { type AppliedReport, chief } from './record-callbacks.ts'

test('the main outcome of a callback with several reports is the one that changed something, or else the first', () => {
  const outcomes = (...statuses: AppliedReport['status'][]) =>
    statuses.map((status, n) => ({ status, id: `${n}` }) as AppliedReport)
  expect(chief(outcomes('ignored', 'applied', 'refused'))).toMatchObject({ status: 'applied' })
  expect(chief(outcomes('ignored', 'refused'))).toMatchObject({ status: 'ignored' })
  expect(() => chief([])).toThrow('without an outcome')
})
