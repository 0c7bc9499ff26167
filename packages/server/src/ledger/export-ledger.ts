import { z } from 'zod'
import type { Db } from '../db/db.ts'
import type { ListOrder } from '../db/list-order.ts'
import { fairLimit } from '../fairness/fair-limit.ts'
import type { Mode } from '../values/mode.ts'
import { findPosition, listEntries, type Position } from './ledger.sql.ts'
import { accountLedgerEntryView, viewAccountLedgerEntry } from './ledger-view.ts'

const exportedEntry = z.strictObject({ type: z.literal('entry'), ...accountLedgerEntryView.shape })

export const ledgerLine = z
  .discriminatedUnion('type', [
    exportedEntry,
    z.strictObject({ type: z.literal('end'), count: z.int().min(0) }).meta({
      description: 'The last line of a complete export. If it is missing, the export is incomplete',
    }),
    z
      .strictObject({
        type: z.literal('error'),
        error: z.strictObject({ code: z.string(), message: z.string() }),
      })
      .meta({ description: 'The export failed. The preceding lines are incomplete' }),
  ])
  .meta({ id: 'LedgerLine' })
type LedgerLine = Exclude<z.output<typeof ledgerLine>, { type: 'error' }>

/** Maps each column in a CSV export to its ledger entry field. */
const fieldOf = {
  id: 'id',
  mode: 'mode',
  entry_type: 'entry_type',
  amount_cents: 'amount',
  balance_after_cents: 'balance_after',
  payment_id: 'payment_id',
  reference_id: 'reference_id',
  reason: 'reason',
  created_at: 'created_at',
} as const satisfies Record<string, keyof z.output<typeof exportedEntry>>

export const ledgerAsCsv = {
  type: 'entry',
  columns: Object.keys(fieldOf),
  rowOf: (line: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fieldOf).map(([column, field]) => [column, line[field]])),
  money: ['amount_cents', 'balance_after_cents'],
  times: ['created_at'],
}

const PAGE = 500
const withLedgerExportSlot = fairLimit({ all: 64, own: 2, what: 'exports' })

/**
 * Exports each ledger entry of a tenant once, in the given order. The promise of `write` resolves when the client can
 * receive the next entry.
 */
export const exportLedger = (
  db: Db,
  tenantId: string,
  mode: Mode | null,
  order: ListOrder,
  write: (line: LedgerLine) => Promise<void>,
): Promise<void> =>
  withLedgerExportSlot(tenantId, async () => {
    let count = 0
    let after: Position | null = null
    for (;;) {
      const entries = await listEntries(db, tenantId, mode, after, PAGE, order)
      for (const entry of entries) await write({ type: 'entry', ...viewAccountLedgerEntry(entry) })
      count += entries.length
      const last = entries.at(-1)
      if (last === undefined || entries.length < PAGE) break
      after = (await findPosition(db, tenantId, mode, last.id)) ?? null
    }
    await write({ type: 'end', count })
  })
