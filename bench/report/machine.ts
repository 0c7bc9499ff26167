// Describes the machine on which the figures were measured. Figures are comparable only if they come from the same
// machine.

import { cpus, totalmem } from 'node:os'
import { settings } from '../host/postgres.ts'
import type { WakeUp } from '../host/wake-up.ts'

export type Machine = {
  cores: number
  processor: string
  memoryGb: number
  system: string
  node: string
  postgres: string
  /** The PostgreSQL settings that differ from PostgreSQL's defaults. */
  settings: Record<string, string>
  wakeUp: WakeUp
}

export const machine = ({ version }: { version: string }, wakeUp: WakeUp): Machine => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / 1e9),
  system: `${process.platform} ${process.arch}`,
  node: process.version,
  postgres: version,
  settings,
  wakeUp,
})
