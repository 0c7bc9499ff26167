import { newId } from '../../packages/server/src/values/id.ts'
import { addEvents, paidEvent } from '../data/events.ts'
import { areEventsWaiting, attemptsSince, clear, setCallbackUrls } from '../data/state.sql.ts'
import { startDeliverFloor } from '../floor/deliver.ts'
import { startReceiver } from '../host/receiver.ts'
import { type Figure, inTurn, type Measure } from '../measure.ts'
import { composeAt } from '../product/compose.ts'
import { startProductWorker } from '../product/worker.ts'
import { rateOf, until } from './work.ts'

const TENANTS = 100

export const webhooks: Measure = {
  name: 'webhooks',
  title: 'Webhooks for 100 tenants delivered to one receiver, with each attempt recorded',
  async run(stage) {
    const { database } = stage
    const tenants = database.tenants.slice(0, TENANTS)
    const count = Math.round(Math.min(20_000, Math.max(2_000, stage.seconds * 3_000)))
    const { app, close } = await composeAt(database)
    const receiver = await startReceiver()
    const worker = await startProductWorker(stage, 'webhooks', 'webhooks')
    const { body } = paidEvent(newId(), new Date())
    const floor = await startDeliverFloor({ databaseUrl: database.url, url: receiver.url, body })
    await setCallbackUrls(app.db, tenants, receiver.url)

    /**
     * Runs one benchmark round, in which one commit makes all webhook events visible at once. To open all
     * connections first, the round delivers some other events that are not counted.
     */
    const round = async (pid: number, work: (events: number) => Promise<unknown>): Promise<Figure> => {
      await deliver(pid, Math.ceil(count / 3), work)
      return deliver(pid, count, work)
    }
    const deliver = async (pid: number, events: number, work: (events: number) => Promise<unknown>) => {
      const since = new Date()
      const tx = await app.db.transaction()
      await addEvents({ db: tx }, tenants, events)
      const figure = await rateOf(stage, pid, events, async () => {
        await tx.commit()
        await work(events)
      })
      const received = await receiver.ask('take')
      assertDelivered(received, await attemptsSince(app.db, tenants, since), events)
      // All bodies have the same length, because they differ only in IDs and times.
      if (received.shortestBody !== body.length)
        throw new Error(`a webhook's body had ${received.shortestBody} bytes instead of ${body.length}`)
      await clear(app.db)
      return figure
    }
    const product = async () => {
      await worker.ask('begin')
      const figure = await round(worker.pid, async events => {
        // The round polls the database only after the receiver has counted all events. Until then, the round
        // requests only the count from the receiver, which puts no load on the database.
        await until(async () => (await receiver.ask('count')) >= events)
        await until(async () => !(await areEventsWaiting(app.db)))
      })
      await worker.ask('end')
      return figure
    }
    const floored = () => round(floor.pid, () => floor.ask('deliver'))

    try {
      await clear(app.db)
      await floored()
      await product()
      const compared = await inTurn(stage, { product, floor: floored })
      return {
        lines: [
          { what: 'webhooks delivered, attempts recorded', unit: '/s', ...compared, bound: { atLeast: 0.7 } },
        ],
      }
    } finally {
      await Promise.all([worker.stop(), floor.stop()])
      await clear(app.db)
      await setCallbackUrls(app.db, tenants, null)
      await Promise.all([receiver.stop(), close()])
    }
  },
}

/** Throws unless every event arrived exactly once and has a recorded attempt. */
function assertDelivered(
  { requests, arrivals }: { requests: number; arrivals: Map<string, number> },
  attempts: number,
  count: number,
): void {
  if (requests !== count || arrivals.size !== count || attempts !== count)
    throw new Error(
      `each of ${count} events must be delivered and recorded once, but there were ${requests} requests with ${arrivals.size} events, and ${attempts} recorded attempts`,
    )
}
