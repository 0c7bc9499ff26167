// Runs benchmarks (measures) one after another. Each benchmark runs on every data size it supports.

import { profileSummary } from './host/profile.ts'
import { measureWakeUp } from './host/wake-up.ts'
import type { Measure, Stage } from './measure.ts'
import { flat } from './measures/all.ts'
import type { Measured } from './report/growth.ts'
import { machine } from './report/machine.ts'
import type { Report } from './report/report.ts'
import { takingTurns } from './turns.ts'

/** Runs the benchmarks. `stages` must be sorted from the smallest to the largest data size. */
export async function runMeasures(measures: readonly Measure[], stages: Stage[]): Promise<Report> {
  const [first] = stages
  if (!first) throw new Error('benchmarks need at least one prepared database')
  const at = new Date()
  const wakeUp = await measureWakeUp()
  const measured: Measured[] = []
  for (const measure of measures)
    measured.push(...(await run(measure, flat.includes(measure) ? stages : [first])))
  return {
    at,
    machine: machine(first.postgres, wakeUp),
    rounds: first.rounds,
    seconds: first.seconds,
    measured,
  }
}

/**
 * Runs one benchmark. Its rounds alternate between the data sizes, so that other load on the machine affects all
 * sizes equally.
 */
async function run(measure: Measure, stages: Stage[]): Promise<Measured[]> {
  const [first, ...larger] = stages
  if (!first) return []
  const { progress, profiles } = first
  progress(`\n${measure.name}: ${measure.title}`)
  const results = await takingTurns(stages, ({ progress, ...stage }, turn) =>
    measure.run({
      ...stage,
      turn,
      profiles: stage.database === first.database ? profiles : undefined,
      progress:
        larger.length === 0 ? progress : line => progress(`${stage.database.payments} payments, ${line}`),
    }),
  )
  if (profiles) progress(await profileSummary(profiles, measure.name))
  return results.map(({ lines, curves = [] }, n) => ({
    name: measure.name,
    title: measure.title,
    payments: (stages[n] as Stage).database.payments,
    // Only results on the smallest database have limits. Results on larger databases are compared with the result on
    // the smallest one (report/growth.ts).
    lines: n === 0 ? lines : lines.map(({ bound: _, ...line }) => line),
    curves,
  }))
}
