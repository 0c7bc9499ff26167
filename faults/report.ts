// Writes the results of fault-injection rounds as JSON and Markdown. All functions except writeReport are pure.

import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { RoundResult } from './round.ts'
import { type FaultName, faultNames, UPGRADE } from './schedule.ts'

export type Report = {
  at: string
  processors: number
  apis: number
  workers: number
  seconds: number
  faults: number
  rate: number
  rounds: RoundResult[]
}

const directory = join(import.meta.dirname, 'results')

/**
 * Writes the report of the rounds so far to files named after the date and the first round's seed. Each
 * further round overwrites these files.
 */
export async function writeReport(report: Omit<Report, 'processors'>): Promise<string> {
  const whole = { ...report, processors: cpus().length }
  const file = join(directory, `${report.at.slice(0, 10)}-seed-${report.rounds[0]?.seed}`)
  await mkdir(directory, { recursive: true })
  await writeFile(`${file}.json`, `${JSON.stringify(whole, null, 2)}\n`)
  await writeFile(`${file}.md`, markdown(whole))
  return `${file}.md`
}

export function markdown({ at, processors, rounds, apis, workers, seconds, faults, rate }: Report): string {
  const sum = (of: (round: RoundResult) => number) => rounds.reduce((total, round) => total + of(round), 0)
  const seeds = rounds.map(({ seed }) => seed)
  const row = (what: string, figure: number | string) => `| ${what} | ${figure} |`
  const kinds = [...faultNames, UPGRADE].map(name => [name, sum(({ faults }) => faults[name] ?? 0)] as const)
  return `# Fault test, ${at.slice(0, 10)}

Seeds ${Math.min(...seeds)} to ${Math.max(...seeds)}. Each round: ${faults} faults in ${seconds} s, ${rate} payments per second, ${apis} \`api\` and ${workers} \`worker\` processes, ${processors} processors.

| | |
| --- | --- |
${[
  row('rounds', rounds.length),
  row(
    'faults',
    sum(({ faults }) => countOf(faults)),
  ),
  row(
    'payments',
    sum(({ payments }) => payments),
  ),
  row(
    'paid payments',
    sum(({ paid }) => paid),
  ),
  row(
    'refunds that merchants requested: succeeded, failed, waiting for the Owner',
    (['succeeded', 'failed', 'waiting'] as const)
      .map(outcome => sum(({ refunds }) => refunds[outcome]))
      .join(', '),
  ),
  row(
    'payments with an unknown outcome, which the Owner must decide',
    sum(({ unanswered }) => unanswered),
  ),
  row(
    'requests',
    sum(({ requests }) => requests),
  ),
  row(
    'callbacks',
    sum(({ callbacks }) => callbacks),
  ),
  row(
    'webhooks',
    sum(({ webhooks }) => webhooks),
  ),
  row(
    'webhooks received without a recorded delivery attempt',
    sum(({ surplusWebhooks }) => surplusWebhooks),
  ),
  row(
    'webhooks redelivered by merchants',
    sum(({ redelivered }) => redelivered),
  ),
  row(
    'longest time from the last fault until all due work was done',
    `${Math.max(...rounds.map(({ recoveredMs }) => recoveredMs)) / 1_000} s`,
  ),
  row('longest time from a promotion of the standby to the next confirmed create', longestOf(rounds)),
  row(
    'violations of the rules',
    sum(({ violations }) => violations.length),
  ),
].join('\n')}

| fault | times |
| --- | --- |
${kinds.map(([name, count]) => row(name, count)).join('\n')}
${broken(rounds)}`
}

const longestOf = (rounds: RoundResult[]): string => {
  const all = rounds.flatMap(({ resumedMs }) => resumedMs)
  return all.length === 0 ? 'no promotion' : `${Math.max(...all) / 1_000} s`
}

/** The maximum time from a standby's promotion until the service must confirm a create request again. */
const RESUMES_WITHIN_MS = 15_000

/**
 * Returns the times, in milliseconds, that the service took to resume after standby promotions, if they exceed the
 * limit `RESUMES_WITHIN_MS`.
 */
export const lateResumptions = ({ resumedMs }: RoundResult): number[] =>
  resumedMs.filter(ms => ms > RESUMES_WITHIN_MS)

const countOf = (faults: Partial<Record<FaultName, number>>): number =>
  Object.values(faults).reduce((total, count) => total + count, 0)

function broken(rounds: RoundResult[]): string {
  const lines = rounds.flatMap(round => [
    ...round.violations.map(({ rule, detail }) => `- seed ${round.seed}: ${rule}: ${detail}`),
    ...lateResumptions(round).map(
      ms => `- seed ${round.seed}: the service resumed ${ms} ms after a promotion`,
    ),
  ])
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}
