import { Counter, Gauge } from 'prom-client'

export const ledgerMetrics = {
  entries: new Counter({
    name: 'gapura_ledger_entries_total',
    help: 'Entries posted, counted when they are committed',
    labelNames: ['entry_type', 'mode'] as const,
    registers: [],
  }),
  sealedAt: new Gauge({
    name: 'gapura_ledger_sealed_timestamp_seconds',
    help: 'When this worker last left nothing unsealed and nothing unsaid that was due; before the first time, when it started',
    registers: [],
  }),
}
