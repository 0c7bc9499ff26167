import { expect, test } from 'vitest'
import { isAbove, manages, type Role, sees, type Tenant, type Viewer } from './tenant.ts'

const tenant = (id: string, role: Role, parentId: string | null = null): Tenant => ({
  id,
  role,
  parentId,
  tier: 'starter',
  name: id,
  status: 'active',
})
const tenants = [
  tenant('owner', 'owner'),
  tenant('partner', 'partner'),
  tenant('its client', 'client', 'partner'),
  tenant('other partner', 'partner'),
  tenant('its sibling', 'client', 'other partner'),
  tenant('client', 'client'),
]
const all = tenants.map(({ id }) => id)

test.each<[string, Viewer, string[], string[]]>([
  ['an operator’s command on the server', null, all, all],
  ['the Owner', { tenantId: 'owner', role: 'owner' }, all, all],
  ['a Partner', { tenantId: 'partner', role: 'partner' }, ['its client'], ['partner', 'its client']],
  ['a Client', { tenantId: 'client', role: 'client' }, [], ['client']],
])(
  'the permissions of %s cover exactly the tenants that it may manage or see',
  (_, viewer, managed, seen) => {
    expect(tenants.filter(each => manages(viewer, each)).map(({ id }) => id)).toEqual(managed)
    expect(tenants.filter(each => sees(viewer, each)).map(({ id }) => id)).toEqual(seen)
  },
)

test('tiers are ordered from `starter` to `enterprise`', () => {
  expect(isAbove('enterprise', 'growth')).toBe(true)
  expect(isAbove('growth', 'growth')).toBe(false)
  expect(isAbove('starter', 'growth')).toBe(false)
})
