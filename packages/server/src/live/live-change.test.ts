import { expect, test } from 'vitest'
import { changesSince, type Seen } from './live-change.ts'

const payment = (id: string, state = ''): Seen => ({ kind: 'payment', id, paymentId: null, state })
const delivery = (id: string, state: string): Seen => ({ kind: 'delivery', id, paymentId: 'p', state })
const ids = (changes: { id: string }[]) => changes.map(({ id }) => id)

test('the first look is compared with nothing', () => {
  expect(changesSince(undefined, [payment('a')])).toEqual([])
})

test('what is new, and what is in another state, is a change; what is as it was is none', () => {
  const before = [payment('a'), delivery('d', 'pending0')]
  expect(ids(changesSince(before, [payment('a'), payment('b'), delivery('d', 'pending1')]))).toEqual([
    'b',
    'd',
  ])
  expect(changesSince(before, before)).toEqual([])
})

test('a payment that was created and paid since is told of once, and once more when something happens again', () => {
  const created = [payment('a'), payment('a', 'event 1')]
  expect(ids(changesSince([], created))).toEqual(['a'])
  expect(changesSince(created, created)).toEqual([])
  expect(ids(changesSince(created, [...created, payment('a', 'event 2')]))).toEqual(['a'])
})

test('a delivery that waits no longer was delivered; a payment that is no longer new has not changed', () => {
  expect(ids(changesSince([payment('a'), delivery('d', 'pending1')], []))).toEqual(['d'])
})

test('a delivery that was made a while ago, and is not listed any more, is not told of again', () => {
  expect(changesSince([delivery('d', 'delivered')], [])).toEqual([])
})

test('says which payment a delivery tells of, and nothing of what it has become', () => {
  expect(changesSince([], [delivery('d', 'pending0')])).toEqual([
    { kind: 'delivery', id: 'd', payment_id: 'p' },
  ])
})
