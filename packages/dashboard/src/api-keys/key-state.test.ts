import { expect, test } from 'vitest'
import { inOrder, type Key, stateOf } from './key-state.ts'

const now = new Date('2026-11-22T05:00:00Z')
const key = (given: Partial<Key>): Key => ({
  id: '01990000-0000-7000-8000-000000000013',
  name: 'web shop',
  mode: 'test',
  display_prefix: 'gp_test_4fQz',
  scopes: [],
  allowed_ips: [],
  created_at: '2026-11-20T05:00:00Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  ...given,
})

test("the dashboard shows a rotated API key as “ending” during the key's grace period, and as “ended” afterwards", () => {
  expect(stateOf(key({ expires_at: '2026-11-22T05:00:01Z' }), now)).toBe('ending')
  expect(stateOf(key({ expires_at: '2026-11-22T05:00:00Z' }), now)).toBe('ended')
})

test('a revoked API key is shown as revoked, even during its grace period after a rotation', () => {
  const revoked = key({ expires_at: '2026-11-23T05:00:00Z', revoked_at: '2026-11-22T04:00:00Z' })
  expect(stateOf(revoked, now)).toBe('revoked')
})

test('the key list shows keys in the current mode (live or test) first, then working keys', () => {
  const keys = [
    key({ name: 'a', revoked_at: '2026-11-21T05:00:00Z' }),
    key({ name: 'b', mode: 'live' }),
    key({ name: 'c' }),
    key({ name: 'd' }),
  ]
  expect(inOrder(keys, 'test', now).map(({ name }) => name)).toEqual(['c', 'd', 'a', 'b'])
  expect(inOrder(keys, 'live', now).map(({ name }) => name)).toEqual(['b', 'c', 'd', 'a'])
})
