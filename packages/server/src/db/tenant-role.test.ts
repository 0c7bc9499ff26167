// Tests how the migrations create the database role `gapura_tenant`. All databases of a PostgreSQL server
// share their roles, so these tests start a separate server.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseUrl } from '../../test/support/database-url.ts'
import { createDb, type Db } from './db.ts'
import type { Embedded } from './embedded/embedded.ts'
import { startTemporaryDatabase } from './embedded/throwaway.ts'
import { migrate } from './migrate/migrate.ts'

let server: Embedded
let admin: Db
beforeAll(async () => {
  server = await startTemporaryDatabase()
  admin = createDb(server.adminUrl, { max: 1 })
  await admin.raw('drop owned by gapura_tenant')
  await admin.raw('drop role gapura_tenant')
})
afterAll(async () => {
  await admin.destroy()
  await server.stop()
})

test('a migration that may not create the role gapura_tenant prints the commands to run', async () => {
  const advice = 'create role gapura_tenant nologin; grant gapura_tenant to gapura_owner;'
  await expect(migrate(server.ownerUrl)).rejects.toThrow(`As a superuser run: ${advice}`)
  await admin.raw('create role gapura_tenant nologin')
  await expect(migrate(server.ownerUrl)).rejects.toThrow(advice)
  await admin.raw('grant gapura_tenant to gapura_owner')
  expect(await migrate(server.ownerUrl)).toContain('0021_row_security.sql')
  await admin.raw('drop database gapura with (force)')
  await admin.raw('drop role gapura_tenant')
})

test('two databases on one PostgreSQL server can be migrated simultaneously and share the role gapura_tenant', async () => {
  const names = ['first', 'second', 'third']
  for (const name of names) await admin.raw('create database ??', [name])
  const urls = names.map(name => databaseUrl(server.adminUrl, name))
  const applied = await Promise.all(urls.map(url => migrate(url)))
  for (const names of applied) expect(names).toContain('0021_row_security.sql')
})
