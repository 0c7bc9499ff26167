import type { Permission } from '@gapura/server/permission'
import { expect, test } from 'vitest'
import { isOfOthers, navigationOf, pageAt } from './navigation.ts'

const reader = (role: 'client' | 'partner' | 'owner', permission: Permission = 'admin') => ({
  role,
  user: { permissions: [permission] },
})

test('a user cannot open a page that is reserved for another role', () => {
  expect(isOfOthers(reader('client'), '/tenants')).toBe(true)
  expect(isOfOthers(reader('client'), '/tenants/019')).toBe(true)
  expect(isOfOthers(reader('partner'), '/inbox')).toBe(true)
  expect(isOfOthers(reader('owner'), '/payments')).toBe(true)
  expect(isOfOthers(reader('owner'), '/payments/new')).toBe(true)
})

test.each(['client', 'partner', 'owner'] as const)(
  'a user with the role %s can open every page that the navigation shows to this role, and the page of every payment',
  role => {
    for (const { name, to } of navigationOf(reader(role), { hasFees: true })) {
      expect(isOfOthers(reader(role), to)).toBe(false)
      expect(pageAt(reader(role), to)).toBe(name)
    }
    expect(isOfOthers(reader(role), '/payments/019')).toBe(false)
  },
)

test('for an unknown path, the dashboard does not claim that the page is reserved for another role', () => {
  expect(isOfOthers(reader('client'), '/nothing')).toBe(false)
  expect(isOfOthers(reader('client'), '/tenantsandmore')).toBe(false)
})

test("a user sees only the pages allowed by the user's permissions", () => {
  const namesFor = (permission: Permission) =>
    navigationOf(reader('client', permission), { hasFees: false }).map(({ name }) => name)
  expect(namesFor('viewer')).toEqual([
    'overview',
    'payments',
    'refunds',
    'ledger',
    'methods',
    'users',
    'security',
    'settings',
  ])
  expect(namesFor('support')).toEqual([
    'overview',
    'payments',
    'refunds',
    'ledger',
    'methods',
    'webhooks',
    'requests',
    'users',
    'security',
    'settings',
  ])
  expect(namesFor('admin')).toEqual(expect.arrayContaining(['apiKeys', 'reconciliation', 'audit']))
  expect(isOfOthers(reader('client', 'viewer'), '/api-keys')).toBe(true)
})

test('the dashboard shows no fee page to a tenant without fees', () => {
  for (const role of ['client', 'partner', 'owner'] as const) {
    const namesWith = (hasFees: boolean) => navigationOf(reader(role), { hasFees }).map(({ name }) => name)
    expect(namesWith(false)).not.toContain('fees')
    expect(namesWith(true)).toContain('fees')
  }
})
