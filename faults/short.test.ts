// A short round among the ordinary tests: each kind of fault once, everything else as in npm run test:faults.
// GAPURA_FAULTS_SEED=… plays another one.

import { expect, test } from 'vitest'
import { runRound } from './round.ts'
import type { FaultName } from './schedule.ts'

const seed = Number(process.env.GAPURA_FAULTS_SEED ?? 20261122)

/** What is killed, each way of disturbing a link at least once and each link once, connections, locks and the clock. */
const names: FaultName[] = [
  'kill api',
  'kill worker',
  'kill postgres',
  'restart postgres',
  'cut database',
  'delay provider',
  'freeze receiver',
  'mute api',
  'fill connections',
  'lock tables',
  'move clock',
]

/** Others share the machine: how long it takes is for the long run to say. */
const STUCK_AFTER_MS = 180_000

test(`seed ${seed}: every kind of fault at once, and no payment, callback or webhook is lost`, {
  timeout: 600_000,
}, async () => {
  const said: string[] = []
  const result = await runRound({
    seed,
    apis: 1,
    workers: 1,
    seconds: 12,
    rate: 8,
    faults: names.length,
    names,
    stuckAfterMs: STUCK_AFTER_MS,
    progress: line => said.push(line),
  })
  expect(result.violations, said.join('\n')).toEqual([])
  expect(Object.keys(result.faults).toSorted()).toEqual(names.toSorted())
  expect(result.paid).toBeGreaterThan(0)
})
