// Compares the service with the reference program (floor). Both get the same kind of requests, in turn.

import { type Floor, startFloor } from '../host/floor.ts'
import { startService } from '../host/service.ts'
import { cpuOf } from '../host/usage.ts'
import { type Load, type Outcome, runLoad } from '../load/load.ts'
import type { Traffic } from '../load/traffic.ts'
import { type Figure, inTurn, type Result, type Stage } from '../measure.ts'

export const CONNECTIONS = 64
export const WARM_UP_SECONDS = 1
/**
 * The duration of a new process's first warm-up. Meanwhile, the process compiles its code and fills its caches of
 * accounts, tenants and keys.
 */
const FIRST_WARM_UP_SECONDS = 2

type Options = {
  name: string
  what: string
  atLeast: number
  floorConfig: object
  traffic(stage: Stage): Promise<Traffic>
}

/**
 * Measures the maximum requests per second of the service and of the reference program in turn. Only the service
 * restarts for each round, because the CPU time per request can differ between two starts of the same program.
 */
export async function besideFloor(stage: Stage, options: Options): Promise<Result> {
  const traffic = await options.traffic(stage)
  const floor = await startFloor(options.name, options.floorConfig)
  const closed = { kind: 'closed', traffic, connections: CONNECTIONS } as const
  const warmUp = (url: string) =>
    runLoad({ ...closed, url, warmUpSeconds: 0, seconds: FIRST_WARM_UP_SECONDS })
  try {
    await warmUp(floor.url)
    const line = await inTurn(stage, {
      floor: () => mostOf(stage, floor, traffic),
      async product() {
        const service = await startService(stage, { role: 'api', name: options.name })
        try {
          await warmUp(service.url)
          return await mostOf(stage, service, traffic)
        } finally {
          await service.stop()
        }
      },
    })
    return { lines: [{ what: options.what, unit: '/s', bound: { atLeast: options.atLeast }, ...line }] }
  } finally {
    await floor.stop()
  }
}

async function mostOf(
  { seconds, postgres }: Stage,
  { url, pid }: Pick<Floor, 'url' | 'pid'>,
  traffic: Traffic,
): Promise<Figure> {
  const load = { kind: 'closed', url, traffic, connections: CONNECTIONS } as const
  const { outcome, cpu } = await loadWithCpu(postgres, pid, {
    ...load,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds,
  })
  const { p50, p99 } = outcome.latency
  return { value: outcome.perSecond, detail: { p50Ms: p50, p99Ms: p99, ...cpu } }
}

type Cpu = { cpuUs: number; postgresCpuUs: number }

/**
 * Runs a load. Measures the CPU time per request used by the server process and by PostgreSQL, excluding the
 * warm-up.
 */
export async function loadWithCpu(
  postgres: Stage['postgres'],
  pid: number,
  load: Load,
): Promise<{ outcome: Outcome; cpu: Cpu }> {
  const used: { server: number; postgres: number }[] = []
  const outcome = await runLoad(load, async () =>
    used.push({ server: await cpuOf(pid), postgres: await postgres.cpu() }),
  )
  const [before, after] = used as [(typeof used)[number], (typeof used)[number]]
  const perRequest = (of: 'server' | 'postgres') => ((after[of] - before[of]) / outcome.count) * 1e6
  return { outcome, cpu: { cpuUs: perRequest('server'), postgresCpuUs: perRequest('postgres') } }
}

export const latencyOf = ({ latency, late }: Outcome): Record<string, number> => ({
  p50Ms: latency.p50,
  p99Ms: latency.p99,
  late,
})
