// Starts the service as an operator would, and fuzzes it with one caller's credential after another.

import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'
import { callers, raiseLimits } from './callers.ts'
import type { Result } from './report.ts'
import { installSchemathesis, type Phase, runSchemathesis } from './schemathesis.ts'

export type Fuzzed = {
  results: Result[]
  /** The Schemathesis output for each caller with a failed check. */
  printed: Record<string, string | undefined>
  /** The service's log lines with level `error`. */
  errors: string[]
}

export type Plan = {
  /** The names of the callers whose requests are tested. Each name is a key of `callers`. */
  names: string[]
  phasesOf(name: string): readonly Phase[]
  examples: number
  seed: number
  onResult?(result: Result): void
}

export async function fuzz({ names, phasesOf, examples, seed, onResult }: Plan): Promise<Fuzzed> {
  const command = await installSchemathesis()
  const place = await newPlace()
  const service = await startService(place)
  const fuzzed: Fuzzed = { results: [], printed: {}, errors: [] }
  try {
    const { demo } = service
    await raiseLimits(demo)
    for (const name of names) {
      const make = callers[name]
      if (!make)
        throw new Error(`unknown caller ${name}; available callers: ${Object.keys(callers).join(', ')}`)
      const { authorization, check } = await make(demo)
      const { tally, output } = await runSchemathesis(command, {
        ...{ url: demo.base_url, authorization, examples, seed },
        phases: phasesOf(name),
      })
      const result = { caller: name, tally }
      fuzzed.results.push(result)
      if (output.includes('= FAILURES =')) fuzzed.printed[name] = output
      // Checks that the caller's credential is still valid. If a fuzz request had revoked it, all later requests would
      // have been rejected and would have tested nothing.
      const status = await check()
      if (status !== 200)
        throw new Error(
          `after the fuzz test, a request with the credential of ${name} got ${status} instead of 200`,
        )
      onResult?.(result)
    }
  } finally {
    await service.stop()
    fuzzed.errors = service
      .output()
      .split('\n')
      .filter(line => /"level":(50|60)/.test(line))
    await removePlace(place)
  }
  return fuzzed
}
