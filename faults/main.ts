// npm run test:faults: runs fault-injection rounds, each with a different seed, and reports the results.

import { parseArgs } from 'node:util'
import { writeReport } from './report.ts'
import { type RoundResult, runRound } from './round.ts'

/**
 * How long due work may make no progress. A worker claims a payment to poll for 90 s, so the claim of a killed worker
 * expires only after that time.
 */
const STUCK_AFTER_MS = 120_000

const usage = `test:faults [option…]

  --rounds <n>    number of rounds (10)
  --seed <n>      seed of the first round; each later round adds 1 (random)
  --seconds <n>   duration of faults and load in a round (60)
  --faults <n>    number of faults in a round (24)
  --rate <n>      payments per second (8)
  --write         write the results to faults/results
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seconds: { type: 'string', default: '60' },
    faults: { type: 'string', default: '24' },
    rate: { type: 'string', default: '8' },
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
const startedAt = new Date().toISOString()
const results: RoundResult[] = []
for (let n = 0; n < Number(values.rounds); n++) {
  const seed = Number(values.seed) + n
  say(`\nround ${n + 1} of ${values.rounds}, seed ${seed}`)
  const result = await runRound({ ...size, seed, stuckAfterMs: STUCK_AFTER_MS, progress: say })
  results.push(result)
  if (values.write) say(await writeReport({ at: startedAt, ...size, rounds: results }))
  const { violations, payments, paid, directory } = result
  say(`${payments} payments, ${paid} paid, ${violations.length} violations`)
  for (const { rule, detail } of violations.slice(0, 20)) say(`  ${rule}: ${detail}`)
  if (directory)
    say(`the files of this round are in ${directory}; to repeat it:
  npm run test:faults -- --rounds 1 --seed ${seed} --seconds ${size.seconds} --faults ${size.faults} --rate ${size.rate}`)
}
process.exitCode = results.some(({ violations }) => violations.length > 0) ? 1 : 0
