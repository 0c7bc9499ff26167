// Runs measures one after the other, each on every size of data that it is meant for.

import { profileSummary } from './host/profile.ts'
import type { Measure, Stage } from './measure.ts'
import { flat } from './measures/all.ts'
import type { Measured } from './report/growth.ts'
import { machine } from './report/machine.ts'
import type { Report } from './report/report.ts'

/** stages: from the smallest to the largest. */
export async function runMeasures(measures: readonly Measure[], stages: Stage[]): Promise<Report> {
  const [first] = stages
  if (!first) throw new Error('a measure needs a stage')
  const at = new Date()
  const measured: Measured[] = []
  for (const measure of measures) {
    // The sizes right after each other, so that what else the machine does is alike for them.
    measured.push(await run(measure, first))
    // A larger one is held to what the first gave (report/growth.ts), and not to the floor once more.
    for (const stage of flat.includes(measure) ? stages.slice(1) : []) {
      const onLarger = await run(measure, stage)
      measured.push({ ...onLarger, lines: onLarger.lines.map(({ bound: _, ...line }) => line) })
    }
  }
  return { at, machine: machine(first.postgres), rounds: first.rounds, seconds: first.seconds, measured }
}

async function run(measure: Measure, stage: Stage): Promise<Measured> {
  const { progress, profiles, database } = stage
  progress(`\n${measure.name}, ${database.payments} payments: ${measure.title}`)
  const { lines, curves = [] } = await measure.run(stage)
  if (profiles) progress(await profileSummary(profiles, measure.name))
  return { name: measure.name, title: measure.title, payments: database.payments, lines, curves }
}
