// Starts the service as an operator would and fuzzes it with one caller after another.

import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'
import { callers, raiseLimits } from './callers.ts'
import type { Result } from './report.ts'
import { installSchemathesis, type Phase, runSchemathesis } from './schemathesis.ts'

export type Fuzzed = {
  results: Result[]
  /** Maps each caller with a failed check to the output of Schemathesis. */
  printed: Record<string, string | undefined>
  /** The log lines of the service with the level `error`. */
  errors: string[]
}

export type Plan = {
  /** The names of the callers to run: keys of `callers`. */
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
      if (!make) throw new Error(`there is no caller ${name}; there are ${Object.keys(callers).join(', ')}`)
      const { authorization, check } = await make(demo)
      const { tally, output } = await runSchemathesis(command, {
        ...{ url: demo.base_url, authorization, examples, seed },
        phases: phasesOf(name),
      })
      const result = { caller: name, tally }
      fuzzed.results.push(result)
      if (output.includes('= FAILURES =')) fuzzed.printed[name] = output
      // Checks that the caller did not revoke its own credential. Otherwise its later requests would have
      // tested nothing.
      const status = await check()
      if (status !== 200) throw new Error(`the credential of ${name} gets ${status} after the run`)
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
