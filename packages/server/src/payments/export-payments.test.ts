import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { newId } from '../id.ts'
import { exportPayments } from './export-payments.ts'

const { db } = await testDatabase()
const day = { from: new Date(0), before: new Date('2100-01-01') }
const nothing = { modes: [], statuses: [], methodTypes: [], providers: [], createdIn: day, search: undefined }

test('eight are made at a time, two of a tenant; whoever comes beyond is told to come again', {
  timeout: 10_000,
}, async () => {
  const go = Promise.withResolvers<void>()
  const tenants = Array.from({ length: 5 }, newId)
  const start = (tenantId: string) => exportPayments({ db }, { ...nothing, tenantId }, () => go.promise)
  const held = tenants.slice(0, 4).flatMap(tenantId => [start(tenantId), start(tenantId)])
  const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 }
  const [of, other] = [tenants[0] as string, tenants[4] as string]
  await expect(start(of)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('of yours') })
  await expect(start(other)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('eight') })
  go.resolve()
  await Promise.all(held)
  await Promise.all([start(of), start(other)])
})
