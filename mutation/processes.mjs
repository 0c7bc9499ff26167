// node mutation/processes.mjs: tests each of a module's mutants in its own process. Use it if a mutant can leave
// unfinished work that disturbs the next test. It is slower than runner.ts.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { room } from './rooms.mjs'

/**
 * The time limit for one run of a test file. If a run hangs outside of a test, the tests' own time limits do not
 * end it.
 */
const HANGS_AFTER_MS = 120_000
/**
 * After this many timeouts, the test files are run without a mutant and must pass. Otherwise, the machine is too
 * busy for reliable results.
 */
const CHANGES_BETWEEN_CHECKS = 8

const output = join(import.meta.dirname, '../test-output', `mutation-${room().name}`)

const config = join(import.meta.dirname, 'vitest.config.ts')
const vitest = await createVitest('test', { config, watch: false, reporters: [{}] })
const changes = JSON.parse(readFileSync(`${output}.json`, 'utf8'))
const results = existsSync(`${output}.jsonl`) ? readFileSync(`${output}.jsonl`, 'utf8') : ''
const known = new Set(
  results
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line).id),
)

const files = vitest.config.sequence.sequencer
const specifications = await new files(vitest).sort(await vitest.getRelevantTestSpecifications())

/**
 * Runs the test file with the mutant. Returns undefined if the file passes. A new process loads the file and reads the
 * mutant's ID from the environment.
 */
async function failureIn(file, id) {
  process.env.MUTATION_CHANGE = id ?? ''
  let timer
  const hangs = new Promise(resolve => {
    timer = setTimeout(resolve, HANGS_AFTER_MS, { status: 'timeout' })
  })
  const ran = vitest.runTestSpecifications([file]).then(({ testModules, unhandledErrors }) => {
    // Ignores test modules from earlier runs, which the result also contains.
    const module = testModules.find(({ moduleId }) => moduleId === file.moduleId)
    const [test] = module?.children.allTests('failed') ?? []
    const errors = [...(test?.result().errors ?? []), ...(module?.errors() ?? []), ...unhandledErrors]
    if (module?.state() === 'passed' && errors.length === 0) return undefined
    const isLate = errors.some(({ message }) => /timed out|Hit count limit/.test(message))
    return { status: isLate ? 'timeout' : 'killed', test: test?.name }
  })
  const failure = await Promise.race([ran, hangs])
  clearTimeout(timer)
  return failure
}

async function outcomeOf({ id }) {
  for (const file of specifications) {
    const failure = await failureIn(file, id)
    if (failure) return { id, ...failure, path: file.moduleId }
  }
  return { id, status: 'survived', path: specifications.at(-1).moduleId }
}

const write = outcome => appendFileSync(`${output}.jsonl`, `${JSON.stringify(outcome)}\n`)

async function passes() {
  for (const file of specifications) if (await failureIn(file)) return false
  return true
}

/**
 * On a busy machine, tests also time out without a mutant. If a test file fails without a mutant, the mutants whose
 * tests timed out are tested again.
 */
async function check(late) {
  while (!(await passes())) for (const [index, each] of late.entries()) late[index] = await outcomeOf(each)
  for (const outcome of late.splice(0)) write(outcome)
}

if (!(await passes())) throw new Error('the tests fail even without a mutant; fix them first')
const late = []
for (const change of changes) {
  if (known.has(change.id)) continue
  const outcome = await outcomeOf(change)
  process.stdout.write(outcome.status === 'survived' ? 's' : '.')
  if (outcome.status !== 'timeout') write(outcome)
  else if (late.push(outcome) === CHANGES_BETWEEN_CHECKS) await check(late)
}
await check(late)
process.stdout.write('\n')
await vitest.close()
