import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbacksAreApplied, foundOfCreates, foundOfPayments } from '../data/two-processes.sql.ts'
import type { Database } from '../host/database.ts'
import { AMOUNT_RUPIAH, dropCallbacks, insertPending } from '../host/payments.ts'
import { type Service, startService } from '../host/service.ts'
import { cpuOf } from '../host/usage.ts'
import { type Outcome, runLoad } from '../load/load.ts'
import type { Traffic } from '../load/traffic.ts'
import { type Figure, inTurn, type Line, type Measure, median, type Stage } from '../measure.ts'
import { CONNECTIONS, WARM_UP_SECONDS } from './beside-floor.ts'

const REPEATED_SECONDS = 3
const PAYMENTS = 2_000
const PATIENCE_MS = 60_000

/**
 * Measures the total throughput of two processes on one database, and checks that no request is lost or
 * executed twice.
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
    try {
      const line = await inTurn(stage, {
        floor: () => created(stage, [first], keys),
        product: () => created(stage, services, keys),
      })
      await sameCreates(stage, services, keys)
      await sameCallbacks(stage, services)
      return {
        lines: [
          {
            what: 'payments created with two processes; with one process. No payment is lost or duplicated',
            unit: '/s',
            ...line,
          },
          {
            what: 'payments created per second of CPU time (processes and PostgreSQL), with two processes; with one process',
            unit: '/s',
            bound: { atLeast: 0.95 },
            ...perCpuSecond(line.rounds),
          },
        ],
      }
    } finally {
      await Promise.all(services.map(service => service.stop()))
      await dropCallbacks(database)
    }
  },
}

/** Measures the create request throughput. The connections are divided among the processes. */
async function created({ seconds, postgres }: Stage, services: Service[], keys: string[]): Promise<Created> {
  const cpu = async () =>
    (await Promise.all([postgres.cpu(), ...services.map(({ pid }) => cpuOf(pid))])).reduce((a, b) => a + b)
  const before = await cpu()
  const outcomes = await loadAll(services, { kind: 'create', keys }, seconds, CONNECTIONS / services.length)
  const cpuSeconds = (await cpu()) - before
  const sum = (of: 'perSecond' | 'succeeded') => outcomes.reduce((total, each) => total + each[of], 0)
  return {
    value: sum('perSecond'),
    detail: {
      p99Ms: Math.max(...outcomes.map(({ latency }) => latency.p99)),
      perCpuSecond: sum('succeeded') / cpuSeconds,
    },
  }
}

type Created = Figure & { detail: { p99Ms: number; perCpuSecond: number } }

/**
 * Computes the creates per second of CPU time. The CPU time includes the warm-up, so creates during the warm-up
 * count too.
 */
function perCpuSecond(rounds: Record<'floor' | 'product', Figure[]>): Omit<Line, 'what' | 'unit'> {
  const figures = (side: 'floor' | 'product') =>
    rounds[side].map(({ detail }): Figure => ({ value: detail?.perCpuSecond ?? Number.NaN }))
  const [floor, product] = [figures('floor'), figures('product')]
  const middle = (all: Figure[]) => median(all.map(({ value }) => value))
  return {
    floor: middle(floor),
    product: middle(product),
    ratio: median(product.map(({ value }, round) => value / (floor[round]?.value ?? Number.NaN))),
    rounds: { floor, product },
  }
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

/** Sends every callback to both processes. Both processes accept and apply callbacks. */
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
