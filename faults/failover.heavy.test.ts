// Runs a short fault-injection round with faults that affect the PostgreSQL servers and the clocks.
// GAPURA_FAULTS_SEED=… selects another seed. Other tests on the same machine disturb the timing, so only npm run
// test:faults checks how soon the service resumes.

import { expect, test } from 'vitest'
import { runRound } from './round.ts'
import type { FaultName } from './schedule.ts'

const seed = Number(process.env.GAPURA_FAULTS_SEED ?? 20261126)
const names: FaultName[] = ['promote standby', 'corrupt page', 'skew clock', 'kill postgres']
const STUCK_AFTER_MS = 180_000

test(`seed ${seed}: a failover, a damaged page and a wrong clock lose no payment, callback or webhook`, {
  timeout: 600_000,
}, async () => {
  const said: string[] = []
  const result = await runRound({
    seed,
    apis: 1,
    workers: 1,
    seconds: 16,
    rate: 4,
    faults: names.length,
    names,
    stuckAfterMs: STUCK_AFTER_MS,
    progress: line => said.push(line),
  })
  expect(result.violations, said.join('\n')).toEqual([])
  expect(Object.keys(result.faults).toSorted(), said.join('\n')).toEqual(names.toSorted())
  expect(result.paid).toBeGreaterThan(0)
})
