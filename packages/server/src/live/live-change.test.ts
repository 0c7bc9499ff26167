import { expect, test } from 'vitest'
import { changesSince, type PolledRow } from './live-change.ts'

const payment = (id: string, state = ''): PolledRow => ({ kind: 'payment', id, paymentId: null, state })
const delivery = (id: string, state: string): PolledRow => ({ kind: 'delivery', id, paymentId: 'p', state })
const ids = (changes: { id: string }[]) => changes.map(({ id }) => id)

test('the first poll of the live feed reports no change, because there is no earlier poll to compare with', () => {
  expect(changesSince(undefined, [payment('a')])).toEqual([])
})

test('a new payment or a new status is a change, but an unchanged payment is not', () => {
  const before = [payment('a'), delivery('d', 'pending0')]
  expect(ids(changesSince(before, [payment('a'), payment('b'), delivery('d', 'pending1')]))).toEqual([
    'b',
    'd',
  ])
  expect(changesSince(before, before)).toEqual([])
})

test('a payment that was created and paid since the last poll is one change, and a later event is another change', () => {
  const created = [payment('a'), payment('a', 'event 1')]
  expect(ids(changesSince([], created))).toEqual(['a'])
  expect(changesSince(created, created)).toEqual([])
  expect(ids(changesSince(created, [...created, payment('a', 'event 2')]))).toEqual(['a'])
})

test('a webhook that is no longer in the queue is reported as delivered, but a payment that is no longer new is not reported', () => {
  expect(ids(changesSince([payment('a'), delivery('d', 'pending1')], []))).toEqual(['d'])
})

test('a delivery that was made some time ago and is no longer listed is not reported again', () => {
  expect(changesSince([delivery('d', 'delivered')], [])).toEqual([])
})

test('a live change of a delivery names its payment but not the payment’s status', () => {
  expect(changesSince([], [delivery('d', 'pending0')])).toEqual([
    { kind: 'delivery', id: 'd', payment_id: 'p' },
  ])
})
