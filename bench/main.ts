// pnpm bench [measure…]: runs the named benchmarks, or all of them by default. A run of all benchmarks writes files
// with the current date in their names to results/.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setStages } from './host/stage.ts'
import { measures } from './measures/all.ts'
import { terminal, writeReport } from './report/report.ts'
import { runMeasures } from './run.ts'

const usage = `bench [measure…] [option…]

  --rounds <n>       rounds, each with the reference program (floor) and the service (product) (default: 5)
  --seconds <n>      duration of each run (default: 5)
  --payments <n>     payments in the database (default: 50000)
  --large <n>        payments in a second database, to measure the effect of size (default if all measures run: 5000000)
  --data-dir <path>  keep the databases in this directory for later runs
  --json <file>      write the report as JSON, also if only some measures run
  --profile          write CPU profiles of the service to profiles/ and summarize them

measures: ${measures.map(({ name }) => name).join(', ')}
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    payments: { type: 'string', default: '50000' },
    large: { type: 'string' },
    'data-dir': { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const isUnknown = positionals.some(name => !measures.some(measure => measure.name === name))
if (values.help || isUnknown) {
  process.stderr.write(usage)
  process.exit(isUnknown ? 1 : 0)
}

const isWhole = positionals.length === 0
const chosen = isWhole ? measures : measures.filter(({ name }) => positionals.includes(name))
const large = Number(values.large ?? (isWhole ? 5_000_000 : 0))
const { stages, stop } = await setStages({
  sizes: [Number(values.payments), ...(large > 0 ? [large] : [])],
  dataDir: values['data-dir'],
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  profiles: values.profile ? join(import.meta.dirname, 'profiles') : undefined,
  progress: line => void process.stderr.write(`${line}\n`),
})
try {
  const report = await runMeasures(chosen, stages)
  process.stdout.write(`\n${terminal(report)}`)
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  if (isWhole) process.stdout.write(`\n${await writeReport(join(import.meta.dirname, 'results'), report)}\n`)
} finally {
  await stop()
}
