import { expect, test } from 'vitest'
import { averagePaid, figuresBy, figuresByDay, figuresOf, netOf, type Row, successRate } from './figures.ts'

const row = (given: Partial<Row>): Row => ({
  count: 1,
  amount: 1_000,
  amount_paid: 0,
  amount_refunded: 0,
  amount_reversed: 0,
  ...given,
})
const rows: Row[] = [
  row({ day: '2026-11-20', status: 'paid', method_type: 'qris', count: 3, amount_paid: 1_000 }),
  row({ day: '2026-11-22', status: 'failed', method_type: 'qris' }),
  row({ day: '2026-11-22', status: 'paid', method_type: 'virtual_account', amount_paid: 9_000 }),
  row({ day: '2026-11-22', status: 'pending', method_type: 'virtual_account', count: 2 }),
]

test('the success rate on the overview counts only payments that have reached a final status', () => {
  const figures = figuresOf(rows)
  expect(figures).toEqual({ count: 7, paid: 4, ended: 5, volume: 10_000, refunded: 0, reversed: 0 })
  expect(successRate(figures)).toBe(0.8)
  expect(averagePaid({ ...figures, paid: 3, volume: 10_000 })).toBe(3_300)
})

test('the amounts on the overview are net of refunds and reversals', () => {
  const figures = figuresOf([
    row({ status: 'paid', amount_paid: 10_000, amount_refunded: 2_500 }),
    row({ status: 'paid', amount_paid: 5_000, amount_reversed: 5_000 }),
  ])
  expect(figures).toMatchObject({ volume: 15_000, refunded: 2_500, reversed: 5_000 })
  expect(netOf(figures)).toBe(7_500)
})

test('if there are no payments, the overview shows no success rate and no average amount', () => {
  expect(successRate(figuresOf([]))).toBeUndefined()
  expect(averagePaid(figuresOf([]))).toBeUndefined()
})

test('the overview shows zero for a day without payments', () => {
  const days = figuresByDay(rows, { from: '2026-11-19', to: '2026-11-22' })
  expect(days.map(({ day, volume }) => [day, volume])).toEqual([
    ['2026-11-19', 0],
    ['2026-11-20', 1_000],
    ['2026-11-21', 0],
    ['2026-11-22', 9_000],
  ])
})

test('the overview sorts payment methods by the net amount received, with the largest amount first', () => {
  expect(figuresBy(rows, 'method_type').map(({ key }) => key)).toEqual(['virtual_account', 'qris'])
})
