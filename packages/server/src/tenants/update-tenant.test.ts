// Tests who may reactivate a suspended Client.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { migrationsDirectory } from '../db/migrate/migrate.ts'
import { newId } from '../values/id.ts'
import { findTenant } from './tenant.sql.ts'
import type { Manager, Role, TenantStatus } from './tenant.ts'
import { updateTenant } from './update-tenant.ts'

const { db } = await testDatabase()

const userOf = (tenantId: string, role: Role): Manager => ({
  tenantId,
  userId: newId(),
  role,
  tier: 'enterprise',
})
const owner = userOf(await makeTenant(db, { role: 'owner' }), 'owner')
const partnerId = await makeTenant(db, { role: 'partner' })
const partner = userOf(partnerId, 'partner')

const makeClient = (status: TenantStatus = 'active') => makeTenant(db, { parentId: partnerId, status })
const suspend = (by: Manager, id: string) => updateTenant({ db }, by, id, { status: 'suspended' })
const reactivate = (by: Manager, id: string) => updateTenant({ db }, by, id, { status: 'active' })
const stored = async (id: string) => {
  const tenant = await findTenant(db, id)
  return { status: tenant?.status, suspendedByOwner: tenant?.suspendedByOwner }
}
const byOwner = { status: 'suspended', suspendedByOwner: true }
const byPartner = { status: 'suspended', suspendedByOwner: false }
const active = { status: 'active', suspendedByOwner: false }
const rejection = { fault: 'tenant_suspended_by_owner' }

test.each([
  ['the Owner', owner],
  ['a command on the server', null],
])('a Partner cannot reactivate a Client that %s suspended, but the Owner can', async (_, suspender) => {
  const id = await makeClient()
  await suspend(suspender, id)
  await expect(reactivate(partner, id)).rejects.toMatchObject(rejection)
  expect(await stored(id)).toEqual(byOwner)
  await reactivate(owner, id)
  expect(await stored(id)).toEqual(active)
})

test('a Partner can reactivate a Client that it suspended, even after an earlier suspension by the Owner', async () => {
  const id = await makeClient()
  await suspend(owner, id)
  await reactivate(owner, id)
  const { rows } = await db.raw('select suspended_by_owner from tenants where id = ?', [id])
  expect(rows).toEqual([{ suspended_by_owner: false }])
  await suspend(partner, id)
  expect(await stored(id)).toEqual(byPartner)
  await reactivate(partner, id)
  expect(await stored(id)).toEqual(active)
})

test('the Owner’s suspension takes precedence over the Partner’s, whichever was first', async () => {
  for (const suspenders of [
    [partner, owner],
    [owner, partner],
  ]) {
    const id = await makeClient()
    for (const suspender of suspenders) await suspend(suspender as Manager, id)
    await expect(reactivate(partner, id)).rejects.toMatchObject(rejection)
    expect(await stored(id)).toEqual(byOwner)
  }
})

test('changing the name of a suspended Client does not change who suspended the Client', async () => {
  const [ofOwner, ofPartner] = [await makeClient(), await makeClient()]
  await suspend(owner, ofOwner)
  await suspend(partner, ofPartner)
  for (const [by, id] of [
    [partner, ofOwner],
    [owner, ofPartner],
  ] as const)
    await updateTenant({ db }, by, id, { name: 'Renamed' })
  expect(await stored(ofOwner)).toEqual(byOwner)
  expect(await stored(ofPartner)).toEqual(byPartner)
})

test('a Partner can reactivate its suspended Client even if the previous release reactivated the Client once before', async () => {
  const id = await makeClient()
  await suspend(owner, id)
  await db.raw(`update tenants set status = 'active' where id = ?`, [id])
  expect(await stored(id)).toEqual(active)
  await suspend(partner, id)
  expect(await stored(id)).toEqual(byPartner)
})

test('the migration takes from the audit log whether the Owner or the Partner last suspended a Client', async () => {
  const ids = { owner: await makeClient(), partner: await makeClient(), active: await makeClient() }
  await suspend(partner, ids.owner)
  await reactivate(partner, ids.owner)
  await suspend(owner, ids.owner)
  await suspend(owner, ids.partner)
  await reactivate(owner, ids.partner)
  await suspend(partner, ids.partner)
  await updateTenant({ db }, owner, ids.partner, { name: 'Renamed' })
  await suspend(owner, ids.active)
  await reactivate(owner, ids.active)
  const unknown = await makeClient('suspended')
  const migration = await readFile(join(migrationsDirectory, '0127_suspended_by_owner.sql'), 'utf8')
  await asOwner(db, async tables => {
    await tables.raw('alter table tenants drop column suspended_by_owner')
    await tables.raw(migration)
  })
  expect(await stored(ids.owner)).toEqual(byOwner)
  expect(await stored(unknown)).toEqual(byOwner)
  expect(await stored(ids.partner)).toEqual(byPartner)
  expect(await stored(ids.active)).toEqual(active)
})
