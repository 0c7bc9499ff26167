import { type Floor, startFloor } from '../host/floor.ts'
import { type Service, startService } from '../host/service.ts'
import { cpuOf } from '../host/usage.ts'
import { type Outcome, runLoad } from '../load/load.ts'
import type { Traffic } from '../load/traffic.ts'
import { type Figure, type Line, type Measure, median, type Stage } from '../measure.ts'
import { CONNECTIONS, WARM_UP_SECONDS } from './beside-floor.ts'

/**
 * The duration of the first warm-up. It is long, because with one request at a time Node optimizes the
 * service's code late.
 */
const FIRST_WARM_UP_SECONDS = 10

/**
 * Measures how much longer creating a payment takes than the provider's response, if no other request is in
 * flight. The service is one process that also runs the jobs.
 */
export const lone: Measure = {
  name: 'lone',
  title: 'One create at a time: time added to the time of the provider',
  async run(stage) {
    const { database, sandbox } = stage
    const { url: databaseUrl, tenants, account } = database
    const creates: Traffic = { kind: 'create', keys: tenants.flatMap(({ keys }) => keys) }
    const charges: Traffic = { kind: 'charges', serverKey: account.serverKey }
    const floor = await startFloor('create', { databaseUrl, tenants, account, sandboxUrl: sandbox.url })
    const service = await startService(stage, { role: 'all', name: 'lone' })
    const one = { kind: 'closed', connections: 1, seconds: stage.seconds } as const
    const provider = () =>
      runLoad({ ...one, url: sandbox.url, traffic: charges, warmUpSeconds: WARM_UP_SECONDS })
    const rounds: Record<'floor' | 'product', Record<'p50' | 'p99', Figure>[]> = { floor: [], product: [] }
    try {
      for (const { url } of [floor, service])
        await runLoad({
          ...one,
          connections: CONNECTIONS,
          url,
          traffic: creates,
          warmUpSeconds: 0,
          seconds: FIRST_WARM_UP_SECONDS,
        })
      for (let round = 0; round < stage.rounds; round += 1) {
        await stage.turn(async () => {
          const { latency } = await provider()
          rounds.floor.push(await added(stage, floor, creates, latency.p50))
          rounds.product.push(await added(stage, service, creates, latency.p50))
          stage.progress(
            `round ${round + 1}: provider ${latency.p50} ms, ${(['floor', 'product'] as const).map(side => told(side, rounds[side][round])).join(', ')}`,
          )
        })
      }
      const line = (percentile: 'p50' | 'p99', atMost: number): Line => {
        const floor = rounds.floor.map(figures => figures[percentile])
        const product = rounds.product.map(figures => figures[percentile])
        const middle = (figures: Figure[]) => median(figures.map(({ value }) => value))
        return {
          what: `one create at a time, time added to the provider's: ${percentile}`,
          unit: 'ms',
          floor: middle(floor),
          product: middle(product),
          bound: { atMost },
          rounds: { floor, product },
        }
      }
      return { lines: [line('p50', 3), line('p99', 10)] }
    } finally {
      await service.stop()
      await floor.stop()
    }
  },
}

/**
 * Subtracts the provider's median response time from the p50 and the p99 of the service. The added p99
 * therefore includes the slowest responses of the provider.
 */
async function added(
  { seconds, postgres }: Stage,
  { url, pid }: Floor | Service,
  traffic: Traffic,
  providerMs: number,
): Promise<Record<'p50' | 'p99', Figure>> {
  const used: { server: number; postgres: number }[] = []
  const { latency, count }: Outcome = await runLoad(
    { kind: 'closed', connections: 1, url, traffic, warmUpSeconds: WARM_UP_SECONDS, seconds },
    async () => used.push({ server: await cpuOf(pid), postgres: await postgres.cpu() }),
  )
  const [before, after] = used as [(typeof used)[number], (typeof used)[number]]
  const detail = {
    cpuUs: ((after.server - before.server) / count) * 1e6,
    postgresCpuUs: ((after.postgres - before.postgres) / count) * 1e6,
  }
  return {
    p50: { value: latency.p50 - providerMs, detail },
    p99: { value: latency.p99 - providerMs, detail },
  }
}

const told = (side: string, figures?: Record<'p50' | 'p99', Figure>): string =>
  `${side} adds ${figures?.p50.value.toFixed(2)} ms (p99 ${figures?.p99.value.toFixed(2)}, ` +
  `CPU ${figures?.p50.detail?.cpuUs?.toFixed(0)} µs and PostgreSQL ${figures?.p50.detail?.postgresCpuUs?.toFixed(0)} µs)`
