import { startFloor } from '../host/floor.ts'
import { anyPayments } from '../host/payments.ts'
import { startService } from '../host/service.ts'
import { runLoad } from '../load/load.ts'
import type { Traffic } from '../load/traffic.ts'
import { type Bound, inTurn, type Line, type Measure, type Stage } from '../measure.ts'
import type { Curve } from '../report/curve.ts'
import { CONNECTIONS, latencyOf, WARM_UP_SECONDS } from './beside-floor.ts'

/** The request rates at which latency is measured, as fractions of the service's maximum throughput. */
const SHARES = [0.1, 0.25, 0.5, 0.7, 0.85, 0.95]
/**
 * Several rounds compare the service with the reference program at this fraction of the service's maximum throughput.
 */
const TYPICAL = 0.5

/**
 * Measures the latency of the service and the minimal reference program (floor) at the same increasing request
 * rates.
 */
export const latency: Measure = {
  name: 'latency',
  title: 'Latency at increasing arrival rates',
  async run(stage) {
    const { database, sandbox } = stage
    const { url: databaseUrl, tenants, account } = database
    const create = await curveOf(stage, 'create', {
      traffic: { kind: 'create', keys: tenants.flatMap(({ keys }) => keys) },
      floorConfig: { databaseUrl, tenants, account, sandboxUrl: sandbox.url },
      bound: { atMost: 2 },
    })
    const get = await curveOf(stage, 'get', {
      traffic: { kind: 'get', payments: await anyPayments(database, 50_000) },
      floorConfig: { databaseUrl, tenants },
    })
    return { lines: [create.line, get.line], curves: [create.curve, get.curve] }
  },
}

async function curveOf(
  stage: Stage,
  name: string,
  { traffic, floorConfig, bound }: { traffic: Traffic; floorConfig: object; bound?: Bound },
): Promise<{ line: Line; curve: Curve }> {
  const floor = await startFloor(name, floorConfig)
  const service = await startService(stage, { role: 'api', name: `latency-${name}` })
  const load = { traffic, warmUpSeconds: WARM_UP_SECONDS, seconds: stage.seconds }
  try {
    const most = await runLoad({ ...load, kind: 'closed', url: service.url, connections: CONNECTIONS })
    const at = async (url: string, share: number) => {
      const rate = Math.max(1, Math.round(most.perSecond * share))
      const { latency, late } = await runLoad({ ...load, kind: 'open', url, rate })
      const side = url === floor.url ? 'floor' : 'product'
      stage.progress(
        `${name}, ${side} at ${rate}/s: p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${late} requests sent late`,
      )
      return { share, rate, ...latency }
    }
    const points: Record<'floor' | 'product', Awaited<ReturnType<typeof at>>[]> = { floor: [], product: [] }
    for (const share of SHARES) {
      points.floor.push(await at(floor.url, share))
      points.product.push(await at(service.url, share))
    }
    const rate = Math.round(most.perSecond * TYPICAL)
    const p99At = async (url: string) => {
      const outcome = await runLoad({ ...load, kind: 'open', url, rate })
      return { value: outcome.latency.p99, detail: latencyOf(outcome) }
    }
    const p99 = await inTurn(stage, { floor: () => p99At(floor.url), product: () => p99At(service.url) })
    return {
      line: {
        what: `${name} p99 at half of the service's maximum rate`,
        unit: 'ms',
        ...(bound && { bound }),
        ...p99,
      },
      curve: {
        chart: `latency-${name}`,
        title: `Latency of ${name} by request rate`,
        x: { label: 'requests per second' },
        y: { label: 'ms', scale: 'log' },
        series: (['floor', 'product'] as const).flatMap(side =>
          (['p50', 'p99'] as const).map(percentile => ({
            name: `${side} ${percentile}`,
            points: points[side].map((each): [number, number] => [each.rate, each[percentile]]),
          })),
        ),
      },
    }
  } finally {
    await service.stop()
    await floor.stop()
  }
}
