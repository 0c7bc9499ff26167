// Runs measures one after the other, each on every size of data that it is meant for.

import { profileSummary } from './host/profile.ts'
import type { Measure, Stage } from './measure.ts'
import { flat } from './measures/all.ts'
import type { Measured } from './report/growth.ts'
import { machine } from './report/machine.ts'
import type { Report } from './report/report.ts'
import { takingTurns } from './turns.ts'

/** stages: from the smallest to the largest. */
export async function runMeasures(measures: readonly Measure[], stages: Stage[]): Promise<Report> {
  const [first] = stages
  if (!first) throw new Error('a measure needs a stage')
  const at = new Date()
  const measured: Measured[] = []
  for (const measure of measures)
    measured.push(...(await run(measure, flat.includes(measure) ? stages : [first])))
  return { at, machine: machine(first.postgres), rounds: first.rounds, seconds: first.seconds, measured }
}

/** On all sizes alternately, round by round, so that what else the machine does is alike for them. */
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
    // A larger one is held to what the first gave (report/growth.ts), and not to the floor once more.
    lines: n === 0 ? lines : lines.map(({ bound: _, ...line }) => line),
    curves,
  }))
}
