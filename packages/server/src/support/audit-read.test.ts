import { expect, test } from 'vitest'
import type { Db } from '../db/db.ts'
import { newId } from '../values/id.ts'
import { auditReads } from './audit-read.ts'

test('if an audit log entry cannot be written, all reads that share the entry fail', async () => {
  const writes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const left = [...writes]
  const db = { transaction: () => left.shift()?.promise } as unknown as Db
  const supporter = { tenantId: newId(), userId: newId() }
  const [one, two] = [newId(), newId()].map(
    tenantId => ({ action: 'refund.list', tenantId, subjectId: null, after: {} }) as const,
  ) as [never, never]
  const first = auditReads({ db }, supporter, [one], 60_000)
  const both = auditReads({ db }, supporter, [one, two], 60_000)
  const results = Promise.allSettled([first, both])
  writes[0]?.reject(new Error('the database is busy'))
  await expect(first).rejects.toThrow()
  writes[1]?.resolve()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
