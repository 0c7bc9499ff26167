import { expect, test } from 'vitest'
import { idAfter, LAST_ID } from './id.ts'

test.each([
  ['01990000-0000-7000-8000-000000000001', '01990000-0000-7000-8000-000000000002'],
  ['01990000-0000-7000-8000-ffffffffffff', '01990000-0000-7000-8001-000000000000'],
  ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'],
  [LAST_ID, LAST_ID],
])('the smallest id that is greater than %s is %s', (id, next) => {
  expect(idAfter(id)).toBe(next)
})
