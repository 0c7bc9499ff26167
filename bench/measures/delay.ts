import { setTimeout as sleep } from 'node:timers/promises'
import { callbacksOf } from '../data/callbacks.ts'
import { clear, eventsOf, setCallbackUrls } from '../data/state.sql.ts'
import { startReceiver } from '../host/receiver.ts'
import { startService } from '../host/service.ts'
import { startTimedLoad } from '../load/timed.ts'
import { type Measure, median } from '../measure.ts'
import { composeAt } from '../product/compose.ts'
import type { Curve } from '../report/curve.ts'
import { percentile, rateOf } from './work.ts'

const RATE = 100
const TENANTS = 50
/**
 * The duration of the warm-up. The warm-up is long because, at this low request rate, it takes Node a long time to
 * optimize the worker's code.
 */
const WARM_UP_SECONDS = 15
/** The maximum time to wait after the last callback for webhooks that have not arrived yet, in milliseconds. */
const PATIENCE_MS = 5_000

/** The delays of one round in milliseconds. `detail` includes the CPU time per callback. */
type Round = { values: number[]; detail: Record<string, number> }

export const delay: Measure = {
  name: 'delay',
  title: `Delay from the 200 response to a callback to the webhook at the receiver, at ${RATE}/s`,
  async run(stage) {
    const { database } = stage
    const { app, close } = await composeAt(database)
    const receiver = await startReceiver()
    const load = await startTimedLoad()
    await clear(app.db)
    await setCallbackUrls(app.db, database.tenants, receiver.url)
    const service = await startService(stage, { role: 'all', name: 'delay' })

    const delays = async (seconds: number): Promise<Round> => {
      const count = RATE * seconds
      const traffic = await callbacksOf(database, { count, tenants: TENANTS, feeTerms: null })
      await receiver.ask('take')
      let sent = { atMs: [] as number[], late: 0 }
      const { detail } = await rateOf(stage, service.pid, count, async () => {
        sent = await load.ask('send', { url: service.url, traffic, rate: RATE, count })
        for (let waitedMs = 0; (await receiver.ask('count')) < count; waitedMs += 50) {
          if (waitedMs > PATIENCE_MS) throw new Error('not all webhooks were delivered in time')
          await sleep(50)
        }
      })
      const { atMs, late } = sent
      const { arrivals } = await receiver.ask('take')
      const events = await eventsOf(app.db, traffic.references)
      // A webhook can arrive before the sender of the callback has read the response to the callback. The
      // delay of this webhook then counts as 0.
      const values = traffic.references.map((reference, n) =>
        Math.max(0, (arrivals.get(events.get(reference) ?? '') ?? Number.NaN) - (atMs[n] as number)),
      )
      return { values, detail: { late, ...detail } }
    }

    try {
      await delays(WARM_UP_SECONDS)
      const rounds: Round[] = []
      for (let round = 0; round < stage.rounds; round += 1) {
        const taken = await stage.turn(() => delays(Math.min(20, stage.seconds * 4)))
        rounds.push(taken)
        stage.progress(
          [
            `round ${round + 1}: p50 ${told(taken.values, 0.5)}, p99 ${told(taken.values, 0.99)}`,
            ...Object.entries(taken.detail).map(([name, value]) => `${name} ${Math.round(value)}`),
          ].join(', '),
        )
      }
      const line = (share: number, atMost: number) => {
        const product = rounds.map(({ values, detail }) => ({ value: percentile(values, share), detail }))
        return {
          what: `time from the acceptance of a callback to the receipt of its webhook, at ${RATE}/s: p${share * 100}`,
          unit: 'ms',
          product: median(product.map(({ value }) => value)),
          bound: { atMost },
          rounds: { product },
        }
      }
      return {
        lines: [line(0.5, 15), line(0.99, 60)],
        curves: [distribution(rounds.flatMap(({ values }) => values))],
      }
    } finally {
      await service.stop()
      await clear(app.db)
      await setCallbackUrls(app.db, database.tenants, null)
      await Promise.all([load.stop(), receiver.stop(), close()])
    }
  },
}

const told = (values: number[], share: number): string => `${percentile(values, share).toFixed(1)} ms`

function distribution(values: number[]): Curve {
  const shares = [...Array.from({ length: 99 }, (_, n) => (n + 1) / 100), 0.995, 0.999]
  return {
    chart: 'delay',
    title: `Delay from the response to a callback to its webhook, at ${RATE} per second`,
    x: { label: 'ms' },
    y: { label: 'share of webhooks delivered' },
    series: [{ name: 'delay', points: shares.map(share => [percentile(values, share), share]) }],
  }
}
