import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbacksAreApplied, foundOfCreates, foundOfPayments } from '../data/two-processes.sql.ts'
import type { Database } from '../host/database.ts'
import { AMOUNT_RUPIAH, dropCallbacks, insertPending } from '../host/payments.ts'
import { type Service, startService } from '../host/service.ts'
import { cpuOf } from '../host/usage.ts'
import { type Outcome, runLoad } from '../load/load.ts'
import type { Traffic } from '../load/traffic.ts'
import {
  compared,
  type Figure,
  inTurn,
  type Line,
  type Measure,
  type RoundsOfBoth,
  type Stage,
} from '../measure.ts'
import { CONNECTIONS, WARM_UP_SECONDS } from './beside-floor.ts'

/**
 * The duration in seconds of the warm-up that all processes share. After a shorter warm-up, V8 would still be compiling
 * code during the rounds. The CPU time per created payment would then fall from round to round.
 */
const FIRST_WARM_UP_SECONDS = 6
const REPEATED_SECONDS = 3
const PAYMENTS = 2_000
const PATIENCE_MS = 60_000

/**
 * Compares the throughput of two processes on one database with the throughput of one process. In the first comparison,
 * the two processes share the single process's number of connections. In the second comparison, each process has this
 * number. Also checks that no request is lost or executed twice.
 */
export const twoProcesses: Measure = {
  name: 'two-processes',
  title: 'Two service processes on one database, compared with one',
  async run(stage) {
    const { database } = stage
    const services = await Promise.all(
      [1, 2].map(n => startService(stage, { role: 'all', name: `two-processes-${n}` })),
    )
    const [first] = services as [Service, Service]
    const keys = database.tenants.flatMap(({ keys }) => keys)
    const withConnections = (each: number) =>
      inTurn(stage, {
        floor: () => created(stage, [first], keys, CONNECTIONS),
        product: () => created(stage, services, keys, each),
      })
    try {
      await loadAll(services, { kind: 'create', keys }, FIRST_WARM_UP_SECONDS, CONNECTIONS)
      const sharing = await withConnections(CONNECTIONS / services.length)
      const fullyLoaded = await withConnections(CONNECTIONS)
      await sameCreates(stage, services, keys)
      await sameCallbacks(stage, services)
      return {
        lines: [
          ...linesOf(`the same ${CONNECTIONS} connections`, sharing.rounds),
          ...linesOf(`${CONNECTIONS} connections per process`, fullyLoaded.rounds),
        ],
      }
    } finally {
      await Promise.all(services.map(service => service.stop()))
      await dropCallbacks(database)
    }
  },
}

/** Measures the throughput and CPU time of creates. `connections` is the number of connections to each process. */
async function created(
  { seconds, postgres }: Stage,
  services: Service[],
  keys: string[],
  connections: number,
): Promise<Figure> {
  const cpu = async () => ({
    postgres: await postgres.cpu(),
    services: sum(await Promise.all(services.map(({ pid }) => cpuOf(pid)))),
  })
  const before = await cpu()
  const outcomes = await loadAll(services, { kind: 'create', keys }, seconds, connections)
  const after = await cpu()
  // The CPU time includes the warm-up, so creates during the warm-up count too.
  const creates = sum(outcomes.map(({ succeeded }) => succeeded))
  const perCreate = (of: 'postgres' | 'services') => ((after[of] - before[of]) / creates) * 1e6
  const [cpuUs, postgresCpuUs] = [perCreate('services'), perCreate('postgres')]
  return {
    value: sum(outcomes.map(({ perSecond }) => perSecond)),
    detail: {
      p99Ms: Math.max(...outcomes.map(({ latency }) => latency.p99)),
      perCpuSecond: 1e6 / (cpuUs + postgresCpuUs),
      cpuUs,
      postgresCpuUs,
    },
  }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * Returns two lines of the results table: payments per second, and payments per second of CPU time. Both
 * lines compare two processes with a single process.
 */
const linesOf = (load: string, rounds: RoundsOfBoth): Line[] => [
  {
    what: `payments created with two processes; with one process (${load})`,
    unit: '/s',
    ...compared(rounds),
  },
  {
    what: `payments created per second of CPU time (processes and PostgreSQL), with two processes; with one process (${load})`,
    unit: '/s',
    bound: { atLeast: 0.95 },
    ...compared(perCpuSecond(rounds)),
  },
]

/** Returns the same rounds, but each with its payments per second of CPU time as the value. */
function perCpuSecond({ floor, product }: RoundsOfBoth): RoundsOfBoth {
  const figureOf = ({ detail }: Figure): Figure => ({ value: detail?.perCpuSecond ?? Number.NaN })
  return { floor: floor.map(figureOf), product: product.map(figureOf) }
}

/**
 * Sends every create request to both processes at about the same time. One process must create the payment, and the
 * other must return the same payment.
 */
async function sameCreates(
  { database, progress }: Stage,
  services: Service[],
  keys: string[],
): Promise<void> {
  const run = randomBytes(6).toString('hex')
  const outcomes = await loadAll(services, { kind: 'create', keys, run }, REPEATED_SECONDS, CONNECTIONS / 4)
  const sent = Math.max(...outcomes.map(({ succeeded }) => succeeded))
  hold(await foundOfCreates(database.url, run), { payments: sent, moved: sent, charged: sent })
  progress(`${sent} creates sent to both processes created ${sent} payments, each charged once`)
}

/** Sends every callback to both service processes, and checks that each payment is credited only once. */
async function sameCallbacks({ database, progress }: Stage, services: Service[]): Promise<void> {
  const pending = await insertPending(database, PAYMENTS)
  const { account } = database
  const references = pending.map(({ reference }) => reference)
  const traffic: Traffic = { kind: 'callbacks', account, references, amountRupiah: AMOUNT_RUPIAH }
  const outcomes = await loadAll(services, traffic, REPEATED_SECONDS, CONNECTIONS / 4)
  await untilApplied(database)
  const paid = Math.min(PAYMENTS, Math.max(...outcomes.map(({ succeeded }) => succeeded)))
  hold(await foundOfPayments(database.url, references), { paid, moved: paid, credited: paid, told: paid })
  progress(
    `both processes received the callbacks of ${paid} payments; each payment was credited once and its webhook was delivered once`,
  )
}

const loadAll = (
  services: Service[],
  traffic: Traffic,
  seconds: number,
  connections: number,
): Promise<Outcome[]> =>
  Promise.all(
    services.map(({ url }) =>
      runLoad({ kind: 'closed', url, traffic, connections, warmUpSeconds: WARM_UP_SECONDS, seconds }),
    ),
  )

async function untilApplied({ url }: Database): Promise<void> {
  for (let waitedMs = 0; !(await callbacksAreApplied(url)); waitedMs += 100) {
    if (waitedMs > PATIENCE_MS) throw new Error('callbacks were not applied in time')
    await sleep(100)
  }
}

function hold(found: Record<string, number>, expected: Record<string, number>): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(
      `work was lost or duplicated: got ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`,
    )
}
