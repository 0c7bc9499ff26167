import { defaultLimits } from '../../packages/server/src/limits/limits.ts'
import type { Tier } from '../../packages/server/src/tenants/tenant.ts'
import { query } from '../host/query.ts'
import { startService } from '../host/service.ts'
import { runLoad } from '../load/load.ts'
import { type Figure, inTurn, type Measure, type Stage } from '../measure.ts'
import { WARM_UP_SECONDS } from './beside-floor.ts'

/**
 * The total requests per second from all tenants except the one that floods the service. This rate is far below what
 * the machine can handle.
 */
const RATE = 100
const TIMES_ITS_LIMIT = 10
/**
 * The minimum duration of a run in seconds. A run of this length sends 2,000 requests, so 20 requests are slower than
 * the p99.
 */
const SECONDS_AT_LEAST = 20
/**
 * The minimum number of benchmark rounds. It is high because a p99, and the ratio of two p99s, vary between rounds.
 */
const ROUNDS_AT_LEAST = 7

/** Measures how one tenant that exceeds its rate limit affects the other tenants. */
export const flood: Measure = {
  name: 'flood',
  title: `p99 of other tenants' creates while one tenant sends ${TIMES_ITS_LIMIT} × its rate limit, compared with when it stays within its rate limit`,
  async run(stage) {
    const { database } = stage
    const [flooding, ...others] = database.tenants
    const key = flooding?.keys[0]
    if (!flooding || !key) throw new Error('the database has no tenants')
    const setTier = (tier: Tier) =>
      query(database.url, 'update tenants set tier = $1 where id = $2', [tier, flooding.id])
    await setTier('starter')
    const service = await startService(stage, { role: 'api', name: 'flood' })
    const keysOfOthers = others.flatMap(({ keys }) => keys)
    /**
     * Measures the other tenants while one tenant, the flooding tenant, sends `times` times as many requests
     * as its rate limit allows. If `times` is 1, the flooding tenant does not exceed its limit.
     */
    const beside = async (times: number) => {
      const seconds = secondsOf(stage) + WARM_UP_SECONDS
      const load = runLoad({
        kind: 'open',
        url: service.url,
        traffic: { kind: 'create', keys: [key] },
        rate: defaultLimits.starter.requestsPerSecond * times,
        warmUpSeconds: 0,
        seconds: seconds + 1,
        allowed: [429],
      })
      const [figure] = await Promise.all([p99(stage, service.url, keysOfOthers), load])
      return figure
    }
    const calm = () => beside(1)
    const flooded = () => beside(TIMES_ITS_LIMIT)
    try {
      const {
        floor = Number.NaN,
        product,
        rounds,
      } = await inTurn(
        { ...stage, rounds: Math.max(ROUNDS_AT_LEAST, stage.rounds) },
        { floor: calm, product: flooded },
      )
      return {
        lines: [
          {
            what: "p99 of other tenants' creates, while one tenant exceeds its rate limit; while it stays within its rate limit",
            unit: 'ms',
            floor,
            product,
            ratio: product / floor,
            bound: { atMost: 1.3 },
            rounds,
          },
        ],
      }
    } finally {
      await service.stop()
      await setTier('enterprise')
    }
  },
}

const secondsOf = ({ seconds }: Stage): number => Math.max(SECONDS_AT_LEAST, seconds)

async function p99(stage: Stage, url: string, keys: string[]): Promise<Figure> {
  const { latency, late } = await runLoad({
    kind: 'open',
    url,
    traffic: { kind: 'create', keys },
    rate: RATE,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: secondsOf(stage),
  })
  return { value: latency.p99, detail: { p50Ms: latency.p50, late } }
}
