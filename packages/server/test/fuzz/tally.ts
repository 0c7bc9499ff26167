// Counts the cases and responses for each operation in a fuzz run. A long run's result also includes its date and
// seed.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Result = {
  date: string
  seed: number
  cases: number
  seconds: number
  faults: number
  /** The number of cases for each operation or provider, grouped by HTTP status or outcome. */
  met: Record<string, Record<string, number>>
}

export class Tally {
  readonly met: Record<string, Record<string, number>> = {}
  readonly #startedAt = Date.now()
  #cases = 0

  /** Prints the fuzz run's progress after every thousand cases. */
  count(subject: string, outcome: string | number): void {
    this.met[subject] ??= {}
    this.met[subject][outcome] = (this.met[subject][outcome] ?? 0) + 1
    this.#cases += 1
    if (this.#cases % 1_000 === 0) console.log(`${this.#cases} cases, ${this.#seconds()} s`)
  }

  /**
   * Writes the fuzz run's result to the folder in the environment variable FUZZ_RESULTS. Writes nothing if
   * this variable is not set.
   */
  keep(name: string, { seed, faults }: { seed: number; faults: number }): void {
    const folder = process.env.FUZZ_RESULTS
    if (!folder) return
    const date = new Date().toISOString()
    const sorted = Object.fromEntries(Object.entries(this.met).sort(([a], [b]) => (a < b ? -1 : 1)))
    const result: Result = { date, seed, cases: this.#cases, seconds: this.#seconds(), faults, met: sorted }
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  }

  #seconds(): number {
    return Math.round((Date.now() - this.#startedAt) / 1000)
  }
}

/**
 * Reads the number of cases and the seed from the environment, with defaults. If a run fails, the error message
 * contains the seed, so that the run can be repeated.
 */
export const runOf = (variable: string, ordinaryCases: number): { cases: number; seed: number } => ({
  cases: Number(process.env[variable] ?? ordinaryCases),
  seed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31)),
})
