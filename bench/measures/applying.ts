// Runs one benchmark round that applies accepted callbacks. A round ends when each payment is paid and credited,
// and its webhook event is queued.

import type { App } from '../../packages/server/src/app.ts'
import { acceptCallbacks, type PaymentsToPay } from '../data/callbacks.ts'
import { areCallbacksWaiting, clear, doneSince, setCallbackUrls } from '../data/state.sql.ts'
import { type ApplyFloor, startApplyFloor } from '../floor/apply.ts'
import type { Figure, Stage } from '../measure.ts'
import { composeAt } from '../product/compose.ts'
import { type ProductWorker, startProductWorker } from '../product/worker.ts'
import { rateOf, until } from './work.ts'

/**
 * The tenants' webhook URL. No server listens there: events are only queued, because the job that sends them is not
 * running.
 */
const NOWHERE = 'http://127.0.0.1:9/webhooks'

export type Applying = {
  product(payments: PaymentsToPay): Promise<Figure>
  floor(count: number, connections: number): Promise<Figure>
}

export async function withApplying<T>(
  stage: Stage,
  name: string,
  measure: (applying: Applying) => Promise<T>,
): Promise<T> {
  const { database } = stage
  const { app, close } = await composeAt(database)
  const worker = await startProductWorker(stage, 'callbacks', name)
  const floors = new Map<number, ApplyFloor>()
  await setCallbackUrls(app.db, database.tenants, NOWHERE)
  try {
    await clear(app.db)
    // Starts the worker once before it has work. The worker registers its job types at its first start, and an open
    // transaction that adds jobs would block this registration.
    await worker.ask('begin')
    await worker.ask('end')
    return await measure({
      product: payments => round(stage, app, payments, byProduct(app, worker)),
      floor: (count, connections) =>
        round(stage, app, { count, tenants: 1, feeTerms: null }, byFloor(stage, connections, floors)),
    })
  } finally {
    await Promise.all([worker, ...floors.values()].map(each => each.stop()))
    await clear(app.db)
    await setCallbackUrls(app.db, database.tenants, null)
    await close()
  }
}

/**
 * One of the two programs that a benchmark round compares: the service or the minimal reference program (`floor`).
 * `begin` starts the measured work in an idle process, and `done` waits until this work is finished.
 */
type Side = { begin(): Promise<{ pid: number }>; done(): Promise<unknown>; end(): Promise<unknown> }

/**
 * Measures one program in one benchmark round. A single commit makes all callbacks visible at once, while the
 * program is already running, so the program's startup is not measured.
 */
async function round(stage: Stage, app: App, payments: PaymentsToPay, side: Side): Promise<Figure> {
  const { count, feeTerms } = payments
  const since = new Date()
  const tx = await app.db.transaction()
  try {
    await acceptCallbacks({ ...app, db: tx }, stage.database, payments)
    const { pid } = await side.begin()
    const figure = await rateOf(stage, pid, count, async () => {
      await tx.commit()
      await side.done()
    })
    const { charged, ...done } = await doneSince(app.db, since)
    if (Object.values(done).some(each => each !== count))
      throw new Error(`not all of ${count} callbacks were applied: ${JSON.stringify(done)}`)
    if (charged !== (feeTerms === null ? 0 : count))
      throw new Error(`${charged} of ${count} payments were charged a fee`)
    return figure
  } finally {
    if (!tx.isCompleted()) await tx.rollback()
    await side.end()
    await clear(app.db)
  }
}

const byProduct = (app: App, worker: ProductWorker): Side => ({
  begin: async () => {
    await worker.ask('begin')
    return worker
  },
  done: () => until(async () => !(await areCallbacksWaiting(app.db))),
  end: () => worker.ask('end'),
})

/**
 * Returns the reference program with which the service is compared. Its processes keep running between rounds, so that
 * Node has time to optimize their code.
 */
function byFloor({ database: { url } }: Stage, connections: number, floors: Map<number, ApplyFloor>): Side {
  const floorOf = async () => {
    const floor = floors.get(connections) ?? (await startApplyFloor({ url, connections }))
    floors.set(connections, floor)
    return floor
  }
  return {
    begin: floorOf,
    done: async () => (await floorOf()).ask('drain'),
    end: async () => {},
  }
}
