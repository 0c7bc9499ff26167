import { type Floor, startFloor } from '../host/floor.ts'
import { type Service, startService } from '../host/service.ts'
import { runLoad } from '../load/load.ts'
import type { Traffic } from '../load/traffic.ts'
import { type Figure, type Line, type Measure, median } from '../measure.ts'
import { CONNECTIONS, loadWithCpu, WARM_UP_SECONDS } from './beside-floor.ts'

/**
 * The duration of the first warm-up in seconds. The warm-up uses many connections so that Node compiles the service's
 * code early. With one request at a time, Node would compile this code late.
 */
const FIRST_WARM_UP_SECONDS = 10

type Percentile = 'p50' | 'p99'
type Round = Record<Percentile, Figure>

/**
 * Measures the time that the service adds to the provider's response time in a create, when no other request is in
 * flight. One service process handles requests and runs jobs.
 */
export const lone: Measure = {
  name: 'lone',
  title: "One create at a time: time that the service adds to the provider's response time",
  async run(stage) {
    const { database, sandbox, postgres } = stage
    const { url: databaseUrl, tenants, account } = database
    const creates: Traffic = { kind: 'create', keys: tenants.flatMap(({ keys }) => keys) }
    const charges: Traffic = { kind: 'charges', serverKey: account.serverKey }
    const floor = await startFloor('create', { databaseUrl, tenants, account, sandboxUrl: sandbox.url })
    const service = await startService(stage, { role: 'all', name: 'lone' })
    const one = {
      kind: 'closed',
      connections: 1,
      warmUpSeconds: WARM_UP_SECONDS,
      seconds: stage.seconds,
    } as const

    /**
     * Returns the time that the service adds to the provider's response time in a create request. The provider's
     * median latency is subtracted from both the p50 and the p99, so the p99 still includes slow responses of the
     * provider.
     */
    const added = async ({ url, pid }: Floor | Service, providerMs: number): Promise<Round> => {
      const { outcome, cpu } = await loadWithCpu(postgres, pid, { ...one, url, traffic: creates })
      const figure = (percentile: Percentile): Figure => ({
        value: outcome.latency[percentile] - providerMs,
        detail: cpu,
      })
      return { p50: figure('p50'), p99: figure('p99') }
    }

    const rounds: Record<'floor' | 'product', Round[]> = { floor: [], product: [] }
    try {
      const warmUp = { ...one, connections: CONNECTIONS, warmUpSeconds: 0, seconds: FIRST_WARM_UP_SECONDS }
      for (const { url } of [floor, service]) await runLoad({ ...warmUp, url, traffic: creates })
      for (let round = 0; round < stage.rounds; round += 1) {
        await stage.turn(async () => {
          const { latency } = await runLoad({ ...one, url: sandbox.url, traffic: charges })
          const [least, product] = [await added(floor, latency.p50), await added(service, latency.p50)]
          rounds.floor.push(least)
          rounds.product.push(product)
          stage.progress(
            `round ${round + 1}: provider ${latency.p50} ms, reference program (floor) ${told(least)}, service (product) ${told(product)}`,
          )
        })
      }
      const line = (percentile: Percentile, atMost: number): Line => {
        const [floor, product] = [rounds.floor, rounds.product].map(all =>
          all.map(each => each[percentile]),
        ) as [Figure[], Figure[]]
        const middle = (figures: Figure[]) => median(figures.map(({ value }) => value))
        return {
          what: `time added to the provider's response time, with one create at a time: ${percentile}`,
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

const told = ({ p50, p99 }: Round): string =>
  `adds ${p50.value.toFixed(2)} ms at p50 and ${p99.value.toFixed(2)} ms at p99`
