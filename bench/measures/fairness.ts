import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../packages/server/src/app.ts'
import { addEvents } from '../data/events.ts'
import { clear, setCallbackUrls } from '../data/state.sql.ts'
import { nowMs } from '../host/partner.ts'
import { type Receiver, startReceiver } from '../host/receiver.ts'
import { startService } from '../host/service.ts'
import { type Figure, inTurn, type Measure, type Stage } from '../measure.ts'
import { composeAt } from '../product/compose.ts'
import { percentile } from './work.ts'

const OTHERS = 50
/**
 * The number of events per second created by all tenants together, except the tenant whose receiver never responds.
 */
const RATE = 100
const EVERY_MS = 20
const SILENT_EVENTS = 10_000
const WARM_UP_SECONDS = 2
const PATIENCE_MS = 15_000

export const fairness: Measure = {
  name: 'fairness',
  title: `Delay of other tenants' first delivery attempts while one tenant has ${SILENT_EVENTS.toLocaleString('en')} events for an unresponsive receiver`,
  async run(stage) {
    const { app, close } = await composeAt(stage.database)
    const receiver = await startReceiver()
    try {
      const compared = await inTurn(stage, {
        product: () => phase(stage, app, receiver, SILENT_EVENTS),
        floor: () => phase(stage, app, receiver, 0),
      })
      return {
        lines: [
          {
            what: "p99 delay of other tenants' first attempts, with an unresponsive receiver; without an unresponsive receiver",
            unit: 'ms',
            ...compared,
            bound: { atMost: 1.3 },
          },
        ],
      }
    } finally {
      await Promise.all([receiver.stop(), close()])
    }
  },
}

/**
 * Runs one part (phase) of the benchmark in a new service process. The parameter `silentEvents` is the number of
 * webhook events for the receiver that never responds.
 */
async function phase(stage: Stage, app: App, receiver: Receiver, silentEvents: number): Promise<Figure> {
  const [silent, ...others] = stage.database.tenants.slice(0, OTHERS + 1)
  if (!silent) throw new Error('the database has no tenants')
  await clear(app.db)
  await setCallbackUrls(app.db, others, receiver.url)
  await setCallbackUrls(app.db, [silent], receiver.silentUrl)
  const service = await startService(stage, { role: 'all', name: 'fairness' })
  try {
    await addEvents(app, [silent], silentEvents)
    await steadily(app, others, WARM_UP_SECONDS)
    await receiver.ask('take')
    // This benchmark phase lasts longer than the timeout of a delivery attempt. Attempts to the receiver that
    // never responds therefore time out and are retried within the phase.
    const added = await steadily(app, others, Math.min(15, stage.seconds * 3))
    const arrivals = new Map<string, number>()
    const giveUpAt = nowMs() + PATIENCE_MS
    while (![...added.keys()].every(id => arrivals.has(id))) {
      for (const [id, atMs] of (await receiver.ask('take')).arrivals) arrivals.set(id, atMs)
      if (nowMs() > giveUpAt) throw new Error('not all webhooks were delivered in time')
      await sleep(50)
    }
    const delays = [...added].map(([id, atMs]) => (arrivals.get(id) as number) - atMs)
    return { value: percentile(delays, 0.99), detail: { p50: percentile(delays, 0.5) } }
  } finally {
    await clear(app.db)
    await receiver.ask('hangUp')
    await service.stop()
    await clear(app.db)
    await setCallbackUrls(app.db, [silent, ...others], null)
  }
}

/** Creates events at a constant rate. Returns the time at which each event was created, by event ID. */
async function steadily(
  app: App,
  tenants: Stage['database']['tenants'],
  seconds: number,
): Promise<Map<string, number>> {
  const made = new Map<string, number>()
  const adding: Promise<void>[] = []
  const atOnce = (RATE * EVERY_MS) / 1_000
  const begunAt = nowMs()
  for (let n = 0; n * EVERY_MS < seconds * 1_000; n += 1) {
    const dueAt = begunAt + n * EVERY_MS
    await sleep(Math.max(0, dueAt - nowMs()))
    const turn = Array.from({ length: atOnce }, (_, k) => tenants[(n * atOnce + k) % tenants.length]).filter(
      tenant => tenant !== undefined,
    )
    adding.push(
      addEvents(app, turn, atOnce).then(events => {
        for (const { id } of events) made.set(id, dueAt)
      }),
    )
  }
  await Promise.all(adding)
  return made
}
