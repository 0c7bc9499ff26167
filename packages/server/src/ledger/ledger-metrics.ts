import { Counter, Gauge } from 'prom-client'

export const ledgerMetrics = {
  entries: new Counter({
    name: 'gapura_ledger_entries_total',
    help: 'Committed ledger entries',
    labelNames: ['entry_type', 'mode'] as const,
    registers: [],
  }),
  withheld: new Counter({
    name: 'gapura_ledger_credits_withheld_total',
    help: 'Payments not credited because the balance would exceed 2^53 - 1 cents; each one is in the inbox',
    labelNames: ['mode'] as const,
    registers: [],
  }),
  sealedAt: new Gauge({
    name: 'gapura_ledger_sealed_timestamp_seconds',
    help: "Last time at which this worker had sealed (hashed) all ledger entries and signed all due ledger statements. Until this first happens, the value is the worker's start time",
    registers: [],
  }),
}
