import { expect, test } from 'vitest'
import { returnedOf } from './returned.ts'

const paid = { amount_paid: 5_000, amount_refunded: 0, amount_reversed: 0 }

test('a payment shows no returned amount if no money went back to the payer', () => {
  expect(returnedOf(paid)).toEqual([])
  expect(returnedOf({ ...paid, amount_paid: null })).toEqual([])
})

test("a payment that the payer's bank took back in full is shown as fully reversed", () => {
  expect(returnedOf({ ...paid, amount_reversed: 5_000 })).toEqual([
    { way: 'reversed', isAll: true, amount: 5_000 },
  ])
})

test('the dashboard shows the refunded and the reversed amount of a payment separately', () => {
  expect(returnedOf({ ...paid, amount_refunded: 2_000, amount_reversed: 3_000 })).toEqual([
    { way: 'refunded', isAll: false, amount: 2_000 },
    { way: 'reversed', isAll: false, amount: 3_000 },
  ])
})
