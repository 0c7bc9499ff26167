import { expect, test } from 'vitest'
import { mainResult, type UpdateResult } from './record-callbacks.ts'

test('the main outcome of a callback is the outcome of the first applied update, or of the first update if none was applied', () => {
  const outcomes = (...statuses: UpdateResult['status'][]) =>
    statuses.map((status, n) => ({ status, id: `${n}` }) as UpdateResult)
  expect(mainResult(outcomes('ignored', 'applied', 'refused'))).toMatchObject({ status: 'applied' })
  expect(mainResult(outcomes('ignored', 'refused'))).toMatchObject({ status: 'ignored' })
  expect(() => mainResult([])).toThrow('without an outcome')
})
