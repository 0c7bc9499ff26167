import { setTimeout as sleep } from 'node:timers/promises'
import { setCallbackUrls } from '../data/state.sql.ts'
import { buildPackage } from '../host/built-package.ts'
import { AMOUNT_RUPIAH, dropCallbacks, insertPending } from '../host/payments.ts'
import { startReceiver } from '../host/receiver.ts'
import { startService } from '../host/service.ts'
import { memoryOf } from '../host/usage.ts'
import { runLoad } from '../load/load.ts'
import type { Line, Measure, Stage } from '../measure.ts'
import { composeAt } from '../product/compose.ts'

const IDLE_SECONDS = 10
const SAMPLE_MS = 250
/**
 * The number of connections for each kind of request. The connections of all kinds add up to the number that the other
 * benchmarks use.
 */
const CONNECTIONS = 32
const PAYMENTS = 50_000
/** The minimum duration of the load. The heap grows for a while before its size stabilizes. */
const LOAD_SECONDS_AT_LEAST = 10

/**
 * Measures the resident memory of one process with all roles, first idle, then with creates, callbacks and webhooks
 * at the same time.
 */
export const memory: Measure = {
  name: 'memory',
  title: 'Resident memory, idle and under full load',
  async run(stage) {
    const program = buildPackage()
    const { database } = stage
    const { app, close } = await composeAt(database)
    const receiver = await startReceiver()
    await setCallbackUrls(app.db, database.tenants, receiver.url)
    const service = await startService(stage, { role: 'all', name: 'memory', program })
    const samples: [number, number][] = []
    const startedAt = performance.now()
    const sampling = setInterval(async () => {
      const { nowMb } = await memoryOf(service.pid)
      samples.push([(performance.now() - startedAt) / 1_000, nowMb])
    }, SAMPLE_MS)
    try {
      await sleep(IDLE_SECONDS * 1_000)
      const idle = (await memoryOf(service.pid)).nowMb
      await load(stage, service.url)
      const { peakMb } = await memoryOf(service.pid)
      stage.progress(`idle ${idle.toFixed(0)} MB, peak ${peakMb.toFixed(0)} MB`)
      return {
        lines: [
          lineOf('resident memory, idle', idle, 130),
          lineOf('resident memory, under full load', peakMb, 250),
        ],
        curves: [
          {
            chart: 'memory',
            title: 'Resident memory: first idle, then with concurrent creates, callbacks and webhooks',
            x: { label: 'seconds since startup' },
            y: { label: 'MB' },
            series: [{ name: 'one process with role all', points: samples }],
          },
        ],
      }
    } finally {
      clearInterval(sampling)
      await service.stop()
      await dropCallbacks(database)
      await setCallbackUrls(app.db, database.tenants, null)
      await Promise.all([receiver.stop(), close()])
    }
  },
}

async function load({ database, seconds }: Stage, url: string): Promise<void> {
  const references = (await insertPending(database, PAYMENTS)).map(({ reference }) => reference)
  const bounds = {
    kind: 'closed',
    url,
    connections: CONNECTIONS,
    warmUpSeconds: 0,
    seconds: Math.max(LOAD_SECONDS_AT_LEAST, seconds * 4),
  } as const
  await Promise.all([
    runLoad({ ...bounds, traffic: { kind: 'create', keys: database.tenants.flatMap(({ keys }) => keys) } }),
    runLoad({
      ...bounds,
      traffic: { kind: 'callbacks', account: database.account, references, amountRupiah: AMOUNT_RUPIAH },
    }),
  ])
}

const lineOf = (what: string, megabytes: number, atMost: number): Line => ({
  what,
  unit: 'MB',
  product: megabytes,
  bound: { atMost },
  rounds: { product: [{ value: megabytes }] },
})
