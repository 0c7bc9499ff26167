import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { reencrypter } from '../secrets/secrets.ts'
import type { Progress } from './process-io.ts'
import { listSealed, replaceSealed, type SealedColumn, sealedColumns } from './sealed-columns.sql.ts'

const BATCH = 100

export type Rotation = { resealed: number; already: number }

/**
 * Re-encrypts all secrets in the database with the new master key. Each batch is committed separately, so that a run
 * after an interruption continues with the rest. The running service may still use the old key, so the command repeats
 * the search until no secret is encrypted with the old key.
 */
export async function rotateMasterKey(
  app: { db: Db },
  keys: { from: Buffer; to: Buffer },
  progress: Progress,
): Promise<Rotation> {
  const reseal = reencrypter(keys.from, keys.to)
  const total: Rotation = { resealed: 0, already: 0 }
  for (let isFirst = true, left = 1; left > 0; isFirst = false) {
    left = 0
    for (const column of sealedColumns) {
      const { resealed, already, found } = await resealColumn(app, column, reseal, progress)
      total.resealed += resealed
      if (isFirst) total.already += already
      left += found
    }
  }
  await auditedTransaction(app, null, async () => ({
    result: undefined,
    action: 'master_key.rotate',
    tenantId: null,
    subjectId: null,
    before: null,
    after: total,
  }))
  return total
}

async function resealColumn(
  app: { db: Db },
  column: SealedColumn,
  reseal: ReturnType<typeof reencrypter>,
  progress: Progress,
): Promise<Rotation & { found: number }> {
  const counts = { resealed: 0, already: 0, found: 0 }
  for (let after: string | undefined; ; ) {
    const rows = await listSealed(app.db, column, after, BATCH)
    if (rows.length === 0) return counts
    const changes = []
    for (const { key, sealed: was } of rows) {
      const sealed = await reseal(was)
      if (sealed !== undefined) changes.push({ key, was, sealed })
    }
    counts.found += changes.length
    counts.already += rows.length - changes.length
    if (changes.length > 0) {
      counts.resealed += await replaceSealed(app.db, column, changes)
      progress(`${column.table}.${column.column}: ${counts.resealed} re-encrypted`)
    }
    after = rows.at(-1)?.key
  }
}
