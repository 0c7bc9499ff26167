// The short form of npm run test:fuzz:api, with a fixed seed: a red run is red again.

import { beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from './report.ts'
import { type Fuzzed, fuzz } from './run.ts'
import type { Phase } from './schemathesis.ts'

/** Every edge of every schema for the caller who may do the most; of the others what the budget of a run allows. */
const planned: Record<string, readonly Phase[]> = {
  'no credential': ['fuzzing', 'stateful'],
  'API key, test': ['fuzzing', 'stateful'],
  'token, Client': ['fuzzing', 'stateful'],
  'token, Owner': ['coverage', 'fuzzing', 'stateful'],
}

describe('whatever Schemathesis asks', () => {
  let fuzzed: Fuzzed
  beforeAll(async () => {
    const phasesOf = (name: string) => planned[name] ?? []
    fuzzed = await fuzz({ names: Object.keys(planned), phasesOf, examples: 2, seed: 1 })
  }, 1_200_000)

  test.each(Object.keys(planned))('%s: the answer is a documented one, and no fault', name => {
    const counts = fuzzed.results.find(({ caller }) => caller === name)?.tally.phases ?? {}
    const failed = Object.values(counts).map(({ failures }) => failures)
    if (fuzzed.printed[name]) console.log(fuzzed.printed[name])
    expect(failed).toEqual(failed.map(() => ({})))
  })

  test('none of it is an error to the service', () => {
    expect(fuzzed.errors).toEqual([])
  })

  test('the run comes far', () => {
    expect(casesOf(fuzzed.results)).toBeGreaterThan(3_000)
    const owner = fuzzed.results.at(-1)?.tally.phases.coverage?.statuses
    expect(owner?.['200']).toBeGreaterThan(100)
  })
})
