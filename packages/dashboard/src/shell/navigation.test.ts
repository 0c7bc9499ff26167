import { expect, test } from 'vitest'
import { isOfOthers, navigationOf, pageAt } from './navigation.ts'

test('a role cannot open pages of other roles, nor any page below such a page', () => {
  expect(isOfOthers('client', '/tenants')).toBe(true)
  expect(isOfOthers('client', '/tenants/019')).toBe(true)
  expect(isOfOthers('partner', '/inbox')).toBe(true)
  expect(isOfOthers('owner', '/payments')).toBe(true)
  expect(isOfOthers('owner', '/payments/new')).toBe(true)
})

test.each(['client', 'partner', 'owner'] as const)(
  'a %s can open every page of its navigation and every payment',
  role => {
    for (const { name, to } of navigationOf(role)) {
      expect(isOfOthers(role, to)).toBe(false)
      expect(pageAt(role, to)).toBe(name)
    }
    expect(isOfOthers(role, '/payments/019')).toBe(false)
  },
)

test('a page that belongs to no role is not found, rather than forbidden', () => {
  expect(isOfOthers('client', '/nothing')).toBe(false)
  expect(isOfOthers('client', '/tenantsandmore')).toBe(false)
})
