// Runs a short version of npm run test:fuzz:api. Its seed is fixed, so that failures can be reproduced.

import { beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from './report.ts'
import { type Fuzzed, fuzz } from './run.ts'
import type { Phase } from './schemathesis.ts'

/**
 * The phases of Schemathesis to run for each caller. The coverage phase takes longest, so it runs only for the
 * Owner, the caller that may call most operations.
 */
const planned: Record<string, readonly Phase[]> = {
  'no credential': ['fuzzing', 'stateful'],
  'test API key': ['fuzzing', 'stateful'],
  'Client access token': ['fuzzing', 'stateful'],
  'Owner access token': ['coverage', 'fuzzing', 'stateful'],
}

describe('fuzzing with Schemathesis', () => {
  let fuzzed: Fuzzed
  beforeAll(async () => {
    const phasesOf = (name: string) => planned[name] ?? []
    fuzzed = await fuzz({ names: Object.keys(planned), phasesOf, examples: 2, seed: 1 })
  }, 1_200_000)

  test.each(Object.keys(planned))(
    'when requests with the credential “%s” are fuzzed, every response is documented and no Schemathesis check fails',
    name => {
      const counts = fuzzed.results.find(({ caller }) => caller === name)?.tally.phases ?? {}
      const failed = Object.values(counts).map(({ failures }) => failures)
      if (fuzzed.printed[name]) console.log(fuzzed.printed[name])
      expect(failed).toEqual(failed.map(() => ({})))
    },
  )

  test('the service logs no error while it is being fuzzed', () => {
    expect(fuzzed.errors).toEqual([])
  })

  test('fuzzing also sends requests that pass validation and reach the request handlers', () => {
    expect(casesOf(fuzzed.results)).toBeGreaterThan(3_000)
    const owner = fuzzed.results.at(-1)?.tally.phases.coverage?.statuses
    expect(owner?.['200']).toBeGreaterThan(100)
  })
})
