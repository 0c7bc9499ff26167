import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { newId } from '../../values/id.ts'
import { exportPayments } from './export-payments.ts'

const { db } = await testDatabase()
const day = { from: new Date(0), before: new Date('2100-01-01') }
const noTerms = { text: undefined, channel: undefined, amount: undefined }
const nothing = { modes: [], statuses: [], methodTypes: [], providers: [], createdIn: day, search: noTerms }

test("a tenant can run two exports at a time, regardless of other tenants' stalled exports", async () => {
  const go = Promise.withResolvers<void>()
  const tenants = Array.from({ length: 9 }, newId)
  const start = (tenantId: string) =>
    exportPayments({ db }, { ...nothing, tenantId }, 'newest', () => go.promise)
  const held = tenants.flatMap(tenantId => [start(tenantId), start(tenantId)])
  const [of] = tenants as [string]
  await expect(start(of)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
  go.resolve()
  await Promise.all(held)
  await start(of)
})
