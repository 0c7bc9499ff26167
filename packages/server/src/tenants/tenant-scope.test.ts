import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { inScope } from '../db/tenant-scope.ts'
import { sees, type Tenant, type Viewer } from './tenant.ts'
import { scopeOfViewer } from './tenant-scope.ts'

test('the database returns exactly the tenants a viewer may see, including suspended ones', async () => {
  const { db } = await testDatabase()
  const owner = await makeTenant(db, { role: 'owner' })
  const partners = [
    await makeTenant(db, { role: 'partner' }),
    await makeTenant(db, { role: 'partner' }),
  ] as const
  const client = await makeTenant(db, { parentId: partners[0] })
  await makeTenant(db, { parentId: partners[0], status: 'suspended' })
  await makeTenant(db, { parentId: partners[1] })
  await makeTenant(db)
  const select = async (): Promise<Tenant[]> =>
    (await db.raw('select id, role, parent_id as "parentId" from tenants order by id')).rows
  const all = await select()
  const viewers: Viewer[] = [
    null,
    { tenantId: owner, role: 'owner' },
    { tenantId: partners[0], role: 'partner' },
    { tenantId: client, role: 'client' },
  ]
  const counts: number[] = []
  for (const viewer of viewers) {
    const shown = await inScope(scopeOfViewer(viewer), select)
    expect(shown).toEqual(all.filter(tenant => sees(viewer, tenant)))
    counts.push(shown.length)
  }
  expect(counts).toEqual([7, 7, 3, 1])
})
