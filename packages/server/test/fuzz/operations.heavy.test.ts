// Sends arbitrary requests over HTTP to every operation in the OpenAPI document, as arbitrary callers.

import fc from 'fast-check'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '../../src/verification/verify-ledger.ts'
import { testApp } from '../support/app.ts'
import { operations } from './operations.ts'
import { casesOf, runner } from './run.ts'
import { seedWorld } from './seed-world.ts'
import { runOf, Tally } from './tally.ts'
import type { World } from './world.ts'

const { cases, seed } = runOf('FUZZ_CASES', 500)
/**
 * True if this run sends enough random requests for each operation to succeed at least once. The run
 * needs many requests, because random requests often fail, for example if the caller may not call the
 * operation.
 */
const isLong = cases >= 10_000
const tally = new Tally()
const errors: string[] = []
let world: World

beforeAll(async () => {
  const log = pino({ level: 'error' }, { write: line => void errors.push(line) })
  world = await seedWorld(await testApp({ log }))
})

test("every random request gets a response that the API document describes and that contains no other tenant's data", async () => {
  console.log(`${cases} cases; FUZZ_SEED=${seed} repeats this run`)
  const property = fc.asyncProperty(casesOf(world), runner(world, tally))
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: cases })
  tally.keep('operations', { seed, faults: failed ? 1 : 0 })
  if (failed) throw new Error(`FUZZ_SEED=${seed}: ${errorInstance}`)
})

test('after all random requests, ledger verification finds no differences', async () => {
  const differences: unknown[] = []
  const verified = await verifyLedger(world.service.app, [], {
    onDifference: difference => void differences.push(difference),
    onPage: () => {},
  })
  expect(differences).toEqual([])
  expect(verified.entries).toBeGreaterThan(0)
})

test('the service logs no errors during the random requests', () => {
  expect(errors).toEqual([])
})

test('more than a tenth of the random requests succeed, and in a long run, each operation succeeds at least once', () => {
  const counts = Object.values(tally.met).flatMap(statuses => Object.entries(statuses))
  const sum = (some: [string, number][]) => some.reduce((total, [, count]) => total + count, 0)
  expect(sum(counts.filter(([status]) => status === '200'))).toBeGreaterThan(sum(counts) / 10)
  const without = operations.filter(({ operationId }) => !tally.met[operationId]?.[200])
  if (isLong) expect(without.map(({ operationId }) => operationId)).toEqual([])
})
