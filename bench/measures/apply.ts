import type { StoredFeeTerms } from '../../packages/server/src/fees/stored-fee-rule.ts'
import { type Figure, inTurn, type Measure, type Stage } from '../measure.ts'
import type { Curve } from '../report/curve.ts'
import { type Applying, withApplying } from './applying.ts'

/**
 * The reference program's number of database connections. More connections would not make it faster, because
 * all callbacks lock the same row, the balance.
 */
const CONNECTIONS = 16
/**
 * The reference program (floor) applies only this fraction of the callbacks, because it is many times slower
 * than the service.
 */
const FLOOR_SHARE = 1 / 8

/** The operator charges 0.7 % plus Rp 4,000, with 11 % PPN (Indonesia's value-added tax). */
const feeTerms: StoredFeeTerms = {
  operator: {
    ...{ version: 1, refund_fees: false },
    ...{ percent_bps: 70, fixed: 400_000, min: null, max: null, tax_bps: 1_100 },
  },
  partner: null,
}

export const apply: Measure = {
  name: 'apply',
  title: 'Callbacks applied for one tenant: the payment is paid and credited, and its event is queued',
  run: stage =>
    withApplying(stage, 'apply', async applying => {
      const count = callbacksOf(stage)
      const floorCount = Math.ceil(count * FLOOR_SHARE)
      await applying.product({ count: Math.ceil(count / 4), tenants: 1, feeTerms: null })
      await applying.floor(Math.ceil(floorCount / 4), CONNECTIONS)
      const compare = (feeTerms: StoredFeeTerms | null) =>
        inTurn(stage, {
          product: () => applying.product({ count, tenants: 1, feeTerms }),
          floor: () => applying.floor(floorCount, CONNECTIONS),
        })
      return {
        lines: [
          {
            what: 'callbacks applied for one tenant; reference program (floor): one transaction per callback',
            unit: '/s',
            ...(await compare(null)),
            bound: { atLeast: 12 },
          },
          {
            what: 'callbacks applied for one tenant, with a fee on each payment; reference program (floor): without fees',
            unit: '/s',
            ...(await compare(feeTerms)),
            bound: { atLeast: 10 },
          },
        ],
        curves: stage.rounds < 5 ? [] : [await curveOf(applying)],
      }
    }),
}

/** The number of callbacks in a benchmark round: about as many as a worker applies during a round. */
export const callbacksOf = ({ seconds }: Stage): number =>
  Math.round(Math.min(20_000, Math.max(2_000, seconds * 2_000)))

/**
 * Measures how throughput grows with concurrency. For the service, the concurrency is the number of waiting
 * callbacks. For the reference program, with which the service is compared, it is the number of connections.
 */
async function curveOf({ product, floor }: Applying): Promise<Curve> {
  const rates = async (xs: number[], rate: (x: number) => Promise<Figure>) => {
    const points: [number, number][] = []
    for (const x of xs) points.push([x, (await rate(x)).value])
    return points
  }
  return {
    chart: 'apply',
    title: 'Callbacks applied per second for one tenant',
    x: { label: 'pending callbacks (service) or connections (reference program)', scale: 'log' },
    y: { label: 'applied per second' },
    series: [
      {
        name: 'service, by number of pending callbacks',
        points: await rates([1, 4, 16, 64, 256, 1_024, 4_096], x =>
          product({ count: x, tenants: 1, feeTerms: null }),
        ),
      },
      {
        name: 'reference program with one transaction per callback, by number of connections',
        points: await rates([1, 4, 16, 64], x => floor(1_000, x)),
      },
    ],
  }
}
