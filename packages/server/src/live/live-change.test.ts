import { expect, test } from 'vitest'
import { changesSince, type PolledRow } from './live-change.ts'

const payment = (id: string, state = ''): PolledRow => ({ kind: 'payment', id, paymentId: null, state })
const delivery = (id: string, state: string): PolledRow => ({ kind: 'delivery', id, paymentId: 'p', state })
const ids = (changes: { id: string }[]) => changes.map(({ id }) => id)

test('the first poll of the live feed reports nothing, because there is no earlier poll to compare with', () => {
  expect(changesSince(undefined, [payment('a')])).toEqual([])
})

test('the live feed reports a new payment and a changed webhook delivery, but no unchanged payment', () => {
  const before = [payment('a'), delivery('d', 'pending0')]
  expect(ids(changesSince(before, [payment('a'), payment('b'), delivery('d', 'pending1')]))).toEqual([
    'b',
    'd',
  ])
  expect(changesSince(before, before)).toEqual([])
})

test('a payment created and paid since the last poll is reported once in the live feed', () => {
  const created = [payment('a'), payment('a', 'event 1')]
  expect(ids(changesSince([], created))).toEqual(['a'])
  expect(changesSince(created, created)).toEqual([])
  expect(ids(changesSince(created, [...created, payment('a', 'event 2')]))).toEqual(['a'])
})

test('the live feed reports a webhook that left the queue, but not a payment that became too old', () => {
  expect(ids(changesSince([payment('a'), delivery('d', 'pending1')], []))).toEqual(['d'])
})

test('the live feed reports the end of a webhook delivery only once', () => {
  expect(changesSince([delivery('d', 'delivered')], [])).toEqual([])
})

test("the live feed's notification about a webhook delivery contains the payment's ID but not the delivery's status", () => {
  expect(changesSince([], [delivery('d', 'pending0')])).toEqual([
    { kind: 'delivery', id: 'd', payment_id: 'p' },
  ])
})

test.each([
  ['callback', 'received', 'applied'],
  ['refund', 'pending', 'succeeded'],
] as const)(
  'the live feed reports when a %s that had the status %s is finished',
  (kind, unfinished, finished) => {
    const row = { kind, id: 'a', paymentId: 'p' }
    const change = { kind, id: 'a', payment_id: 'p' }
    expect(changesSince([{ ...row, state: unfinished }], [])).toEqual([change])
    expect(changesSince([{ ...row, state: unfinished }], [{ ...row, state: finished }])).toEqual([change])
    expect(changesSince([{ ...row, state: finished }], [])).toEqual([])
  },
)
