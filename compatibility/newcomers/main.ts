// npm run newcomers -- [--json] [merchant|developer|operator]…: runs the documented commands for the first hour of a
// merchant, a developer and an operator, as on a new machine. Prints the duration of each step.

import { execFileSync } from 'node:child_process'
import { hostPath } from '../docs/environment.ts'
import { root } from '../docs/pages.ts'
import { bareMachine } from './bare-machine.ts'
import { journeys } from './journeys.ts'
import { type Measured, newStopwatch, row, total } from './stopwatch.ts'

type Newcomer = keyof typeof journeys
const everyone = Object.keys(journeys) as Newcomer[]

const args = process.argv.slice(2)
const json = args.includes('--json')
const named = args.filter(arg => arg !== '--json')
const unknown = named.filter(name => !everyone.includes(name as Newcomer))
if (unknown.length > 0) {
  console.error(`unknown argument ${unknown.join(', ')}; choose from ${everyone.join(', ')}`)
  process.exit(2)
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const print = (line: string) => json || console.log(line)
// The tested clone contains only committed changes, so this note warns of uncommitted ones.
if (git('status', '--porcelain'))
  console.error('note: this run tests only committed changes, but the repository has uncommitted ones')
const node = execFileSync('node', ['--version'], { env: { PATH: hostPath() }, encoding: 'utf8' }).trim()
print(`Commit ${git('rev-parse', '--short', 'HEAD')}, Node ${node}`)

const results: { newcomer: Newcomer; steps: Measured[]; seconds: number; error: string | null }[] = []
for (const newcomer of everyone.filter(each => named.length === 0 || named.includes(each))) {
  print(`\n${newcomer}`)
  const stopwatch = newStopwatch(measured => print(row(measured)))
  let error: string | null = null
  try {
    const machine = await bareMachine(stopwatch)
    await journeys[newcomer](machine, stopwatch).finally(machine.remove)
  } catch (thrown) {
    error = (thrown as Error).message
  }
  const all = total(stopwatch.steps)
  results.push({ newcomer, steps: stopwatch.steps, seconds: all.seconds, error })
  print(row(all))
  if (error !== null) console.error(`\n${newcomer} failed: ${error}`)
}
if (json) console.log(JSON.stringify(results, null, 2))
process.exitCode = results.some(({ error }) => error !== null) ? 1 : 0
