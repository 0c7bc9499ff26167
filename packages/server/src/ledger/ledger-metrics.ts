import { Counter } from 'prom-client'

export const ledgerMetrics = {
  entries: new Counter({
    name: 'gapura_ledger_entries_total',
    help: 'Entries posted, counted when they are committed',
    labelNames: ['entry_type', 'mode'] as const,
    registers: [],
  }),
}
