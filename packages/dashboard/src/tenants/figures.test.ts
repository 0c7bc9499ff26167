import { describe, expect, test } from 'vitest'
import { figuresOf, paidShareOf } from './figures.ts'

const row = (tenant: string, status: 'paid' | 'failed' | 'pending', count: number) => ({
  ...{ tenant, status, count },
  amount: count * 100,
  amount_paid: status === 'paid' ? count * 100 : 0,
})

describe('figures of a tenant', () => {
  test('are those of its own rows', () => {
    const { total, byStatus } = figuresOf(
      [row('a', 'failed', 1), row('b', 'paid', 9), row('a', 'paid', 3)],
      'a',
    )
    expect(total).toEqual({ count: 4, amount: 400, amount_paid: 300 })
    expect(byStatus.map(({ status }) => status)).toEqual(['paid', 'failed'])
  })

  test('tell of no share while nothing is over', () => {
    expect(paidShareOf([row('a', 'pending', 4)])).toBeUndefined()
    expect(paidShareOf([row('a', 'pending', 4), row('a', 'paid', 3), row('a', 'failed', 1)])).toBe(0.75)
  })
})
