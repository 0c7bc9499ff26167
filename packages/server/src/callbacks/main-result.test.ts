import { expect, test } from 'vitest'
import { mainResult, type UpdateResult } from './record-callbacks.ts'

test("a callback's main outcome is that of its first applied update, or else of its first update", () => {
  const outcomes = (...statuses: UpdateResult['status'][]) =>
    statuses.map((status, n) => ({ status, id: `${n}` }) as UpdateResult)
  expect(mainResult(outcomes('ignored', 'applied', 'refused'))).toMatchObject({ status: 'applied' })
  expect(mainResult(outcomes('ignored', 'refused'))).toMatchObject({ status: 'ignored' })
  expect(() => mainResult([])).toThrow('without an outcome')
})
