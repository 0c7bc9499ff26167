// npm run test:faults: runs fault-injection rounds, each with a different seed, and reports the results.

import { parseArgs } from 'node:util'
import { checkOutRelease } from './cluster/release.ts'
import { lateResumptions, writeReport } from './report.ts'
import { type RoundResult, runRound } from './round.ts'
import { faultNames } from './schedule.ts'

/**
 * The maximum time without progress on due work. If a worker is killed during a status inquiry, its claim on the
 * payment delays the next inquiry by up to 90 s. The maximum time is therefore longer than 90 s.
 */
const STUCK_AFTER_MS = 120_000

const usage = `test:faults [option…]

  --rounds <n>    number of rounds (10)
  --seed <n>      seed of the first round; each later round adds 1 (random)
  --seconds <n>   duration of faults and load in a round (60)
  --faults <n>    number of faults in a round (24)
  --rate <n>      payments per second (8)
  --only <names>  the faults to inject, separated by commas (all)
  --upgrade-from <tag or commit>
                  release with which the service starts; it is upgraded to this checkout in each round
  --write         write the results to faults/results
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seconds: { type: 'string', default: '60' },
    faults: { type: 'string', default: '24' },
    rate: { type: 'string', default: '8' },
    only: { type: 'string' },
    'upgrade-from': { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stderr.write(usage)
  process.exit(0)
}

const say = (line: string) => void process.stderr.write(`${line}\n`)
const size = {
  apis: 2,
  workers: 2,
  seconds: Number(values.seconds),
  faults: Number(values.faults),
  rate: Number(values.rate),
}
const names = values.only?.split(',').map(name => {
  const known = faultNames.find(each => each === name)
  if (!known)
    throw new Error(`--only must contain names of known faults, such as ${faultNames[0]} (got ${name})`)
  return known
})
const upgradeFrom = values['upgrade-from']
const earlier = upgradeFrom === undefined ? undefined : await checkOutRelease(upgradeFrom)
const startedAt = new Date().toISOString()
const results: RoundResult[] = []
for (let n = 0; n < Number(values.rounds); n++) {
  const seed = Number(values.seed) + n
  say(`\nround ${n + 1} of ${values.rounds}, seed ${seed}`)
  const result = await runRound({
    ...size,
    ...(names && { names }),
    release: earlier?.release,
    seed,
    stuckAfterMs: STUCK_AFTER_MS,
    progress: say,
  })
  results.push(result)
  if (values.write) say(await writeReport({ at: startedAt, ...size, rounds: results }))
  const { violations, payments, paid, directory, resumedMs } = result
  say(`${payments} payments, ${paid} paid, ${violations.length} violations`)
  for (const ms of resumedMs)
    say(`  the service confirmed a create request ${ms} ms after the standby was promoted`)
  for (const { rule, detail } of violations.slice(0, 20)) say(`  ${rule}: ${detail}`)
  if (directory)
    say(`the files of this round are in ${directory}; to repeat it:
  npm run test:faults -- --rounds 1 --seed ${seed} --seconds ${size.seconds} --faults ${size.faults} --rate ${size.rate}${values.only ? ` --only '${values.only}'` : ''}${upgradeFrom ? ` --upgrade-from ${upgradeFrom}` : ''}`)
}
await earlier?.remove()
const hasFailed = (round: RoundResult) => round.violations.length > 0 || lateResumptions(round).length > 0
process.exitCode = results.some(hasFailed) ? 1 : 0
