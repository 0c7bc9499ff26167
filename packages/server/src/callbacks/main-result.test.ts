import { expect, test } from 'vitest'
import { mainResult, type UpdateResult } from './record-callbacks.ts'

test('the main outcome of a callback with several updates is the outcome of its first applied update or, without one, of its first update', () => {
  const outcomes = (...statuses: UpdateResult['status'][]) =>
    statuses.map((status, n) => ({ status, id: `${n}` }) as UpdateResult)
  expect(mainResult(outcomes('ignored', 'applied', 'refused'))).toMatchObject({ status: 'applied' })
  expect(mainResult(outcomes('ignored', 'refused'))).toMatchObject({ status: 'ignored' })
  expect(() => mainResult([])).toThrow('without an outcome')
})
