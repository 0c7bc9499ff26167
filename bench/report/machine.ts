// What a figure was taken on; without it none can be compared.

import { cpus, totalmem } from 'node:os'
import { settings } from '../host/postgres.ts'

export type Machine = {
  cores: number
  processor: string
  memoryGb: number
  system: string
  node: string
  postgres: string
  /** Where they differ from PostgreSQL's own. */
  settings: Record<string, string>
}

export const machine = ({ version }: { version: string }): Machine => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / 1e9),
  system: `${process.platform} ${process.arch}`,
  node: process.version,
  postgres: version,
  settings,
})
