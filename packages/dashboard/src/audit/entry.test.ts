import { expect, test } from 'vitest'
import { changesOf, nameOf } from './entry.ts'

test('an audit entry lists only the fields whose values changed', () => {
  const before = { name: 'Toko Budi', tier: 'starter', limits: { a: 1 } }
  const after = { name: 'Toko Budi', tier: 'growth', limits: { a: 1 } }
  expect(changesOf({ before, after })).toEqual([{ name: 'tier', before: 'starter', after: 'growth' }])
})

test("an audit entry for a newly created object lists all of the object's fields as new", () => {
  expect(changesOf({ before: null, after: { name: 'web shop' } })).toEqual([
    { name: 'name', before: undefined, after: 'web shop' },
  ])
})

test('an audit entry shows the new name of the changed object or, if it has none, the previous name', () => {
  expect(nameOf({ before: { name: 'a' }, after: { name: 'b' } })).toBe('b')
  expect(nameOf({ before: { callback_url: 'https://a.example' }, after: { callback_url: null } })).toBe(
    'https://a.example',
  )
  expect(nameOf({ before: null, after: { redelivered: 3 } })).toBeUndefined()
})
