// The service as its operator starts it, fuzzed by one caller after another.

import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'
import { callers, raiseLimits } from './callers.ts'
import type { Result } from './report.ts'
import { installSchemathesis, type Phase, runSchemathesis } from './schemathesis.ts'

export type Fuzzed = {
  results: Result[]
  /** By caller; undefined where nothing failed. */
  printed: Record<string, string | undefined>
  /** What the service logged as errors. */
  errors: string[]
}

export type Plan = {
  /** Names of callers.ts. */
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
      // A run that ended its own credential would have been refused from then on.
      const status = await check()
      if (status !== 200) throw new Error(`${name}: its credential is answered ${status} after the run`)
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
