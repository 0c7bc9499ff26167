import { Counter, Gauge } from 'prom-client'

export const ledgerMetrics = {
  entries: new Counter({
    name: 'gapura_ledger_entries_total',
    help: 'Entries posted, counted when they are committed',
    labelNames: ['entry_type', 'mode'] as const,
    registers: [],
  }),
  withheld: new Counter({
    name: 'gapura_ledger_credits_withheld_total',
    help: 'Payments that were not credited because the balance would have passed 2^53 - 1 cents; each waits in the inbox',
    labelNames: ['mode'] as const,
    registers: [],
  }),
  sealedAt: new Gauge({
    name: 'gapura_ledger_sealed_timestamp_seconds',
    help: 'When this worker last left nothing unsealed and nothing unsaid that was due; before the first time, when it started',
    registers: [],
  }),
}
