// npm run test:fuzz:api: runs all phases of the API fuzzer Schemathesis against the service, with each kind of
// credential.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { callers } from './callers.ts'
import { casesOf, failuresOf, tableOf, withTable } from './report.ts'
import { fuzz } from './run.ts'
import { phases } from './schemathesis.ts'

const usage = `test:fuzz:api [option…]

  --examples <n>  random cases per operation in each phase that generates them (40)
  --seed <n>      repeats a run (random)
  --only <name>   a credential; may be repeated (default: all of ${Object.keys(callers).join('; ')})
  --phase <name>  one of ${phases.join(', ')}; may be repeated (default: all)
  --write         writes results.json and the table in docs/security.md
`

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '40' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true },
    phase: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stderr.write(usage)
  process.exit(0)
}
const examples = Number(values.examples)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
const startedAt = Date.now()
const { results, printed, errors } = await fuzz({
  names: values.only ?? Object.keys(callers),
  phasesOf: () => phases.filter(phase => values.phase?.includes(phase) ?? true),
  examples,
  seed,
  onResult: result =>
    process.stderr.write(`${result.caller}: ${casesOf([result])} cases, ${failuresOf([result])} failures\n`),
})
for (const [name, output] of Object.entries(printed)) console.log(`\n${name}\n${output}`)
for (const line of errors) console.log(line)
console.log(`${tableOf(results)}\n`)
for (const { caller, tally } of results)
  for (const [rule, count] of Object.entries(tally.beyond))
    console.log(
      `${caller}: ${count} requests got 400 because of the rule ${rule}, although they match the API schema`,
    )
const failures = failuresOf(results)
console.log(
  `\n${casesOf(results)} cases, ${failures} failures, ${errors.length} errors in the log; repeat with --seed ${seed}`,
)

if (values.write) {
  const page = join(import.meta.dirname, '../../docs/security.md')
  const date = new Date()
  const seconds = Math.round((date.getTime() - startedAt) / 1_000)
  const about = `${date.toISOString().slice(0, 10)}: ${casesOf(results)} test cases ran in ${seconds} s with seed ${seed}, and the service logged ${errors.length} errors.`
  await writeFile(page, withTable(await readFile(page, 'utf8'), results, about))
  await writeFile(
    join(import.meta.dirname, 'results.json'),
    `${JSON.stringify({ date, seed, examples, seconds, cases: casesOf(results), failures, results }, null, 2)}\n`,
  )
}
process.exit(failures + errors.length > 0 ? 1 : 0)
