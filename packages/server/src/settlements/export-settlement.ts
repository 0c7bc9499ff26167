import type { Db } from '../db/db.ts'
import { fairLimit } from '../fairness/fair-limit.ts'
import { type SettlementExportLine, viewSettlementLine } from './settlement-line-view.ts'
import { listLinesOfSettlement } from './settlement-lines.sql.ts'

const PAGE = 500
const withSettlementExportSlot = fairLimit({ all: 64, own: 2, what: 'exports' })

/**
 * Exports every line of a settlement, in the order of the uploaded file. The promise that `write` returns
 * resolves when the client can receive more data.
 */
export const exportSettlement = (
  db: Db,
  reader: string,
  settlementId: string,
  write: (line: SettlementExportLine) => Promise<void>,
): Promise<void> =>
  withSettlementExportSlot(reader, async () => {
    let count = 0
    for (let after = 0; ; ) {
      const lines = await listLinesOfSettlement(db, settlementId, after, PAGE)
      for (const line of lines) await write({ type: 'line', ...viewSettlementLine(line) })
      count += lines.length
      if (lines.length < PAGE) break
      after = lines.at(-1)?.line ?? after
    }
    await write({ type: 'end', count })
  })
