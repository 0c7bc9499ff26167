import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'

export type Entry = Outputs['payments']['ledger'][number]

/**
 * Shows how much an entry changes the balance. The sign is part of the text, because color alone is not accessible.
 */
export const EntrySum = ({ entry }: { entry: Pick<Entry, 'entry_type' | 'amount'> }) => (
  <span className="figures">
    {entry.entry_type === 'credit' ? '+' : '−'}
    {useFormat().money(entry.amount)}
  </span>
)
