import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'

export type Entry = Outputs['account']['entries']['items'][number]

/** What an entry did to the balance: its sign is in the sum, not in a colour. */
export const EntrySum = ({ entry }: { entry: Entry }) => (
  <span className="figures">
    {entry.entry_type === 'credit' ? '+' : '−'}
    {useFormat().money(entry.amount)}
  </span>
)
