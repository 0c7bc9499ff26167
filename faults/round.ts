// Runs one fault-injection round: starts a cluster, creates payments while faults are injected, waits for recovery, and
// checks the rules.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Evidence } from './checker/evidence.ts'
import { readDatabase, readSandbox } from './checker/read.ts'
import { check, type Violation } from './checker/rules.ts'
import { type Cluster, type Size, startCluster } from './cluster/cluster.ts'
import { inflict, interrupts } from './cluster/inflict.ts'
import type { Release } from './cluster/release.ts'
import { planOf } from './load/plan.ts'
import { openShop, type Shop } from './load/shop.ts'
import { recover } from './recovery/recover.ts'
import { redeliverMissing } from './recovery/redeliver.ts'
import { type Fault, type FaultName, faultNames, scheduleOf, targetOf } from './schedule.ts'

export type RoundOptions = Size & {
  seed: number
  seconds: number
  faults: number
  /** The number of create requests sent by the shops per second. */
  rate: number
  /**
   * The earlier release that runs when the round starts. During the round, the service is upgraded to the tested
   * code.
   */
  release?: Release | undefined
  /** The names of the faults to inject. By default, every fault is injected. */
  names?: readonly FaultName[]
  /**
   * Due work counts as stuck if, after the last fault, the service makes no progress on it for this many
   * milliseconds.
   */
  stuckAfterMs: number
  progress: (line: string) => void
  /**
   * Called before the round's processes are stopped. The passed function `look` checks the rules and returns their
   * current violations.
   */
  afterwards?: (round: { databaseUrl: string; look: () => Promise<Violation[]> }) => Promise<void>
}

export type RoundResult = {
  seed: number
  violations: Violation[] | { rule: string; detail: string }[]
  faults: Partial<Record<FaultName, number>>
  payments: number
  paid: number
  /**
   * The number of refunds that merchants requested, by outcome. The outcome `waiting` means that the Owner (the
   * service's operator) must decide the outcome or transfer the money.
   */
  refunds: Record<'succeeded' | 'failed' | 'waiting', number>
  /** The number of create requests with an unknown outcome. */
  unanswered: number
  requests: number
  callbacks: number
  webhooks: number
  /** The number of webhooks received by merchants minus the number of attempts recorded by the service. */
  surplusWebhooks: number
  /**
   * The number of webhook events that were delivered only after all attempts failed and the merchant requested a
   * redelivery.
   */
  redelivered: number
  /** The time in milliseconds from the end of the last fault until no work was due. */
  recoveredMs: number
  /**
   * How many milliseconds passed after each promotion of the standby to primary until the service confirmed a
   * create request.
   */
  resumedMs: number[]
  /** The directory with all files of this fault-injection round. It is kept only if the round failed. */
  directory?: string
}

/**
 * The failures that the simulated providers cause at random in every round, in addition to the injected
 * faults. Values without a unit are probabilities.
 */
const chaos = { lose: 0.04, repeat: 0.1, reorder: 0.1, forge: 0.1, delay_ms: 300, time_out_creates: 0.02 }

export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-faults-'))
  // PostgreSQL's system user must be able to enter this directory, which contains the database.
  await chmod(directory, 0o711)
  const { names = faultNames } = options
  let failed = true
  try {
    const cluster = await startCluster(directory, {
      ...options,
      standby: names.includes('promote standby') || names.includes('corrupt page'),
      smallDisk: names.includes('fill disk'),
      payments: Math.round(options.seconds * options.rate),
    })
    try {
      const result = await play(cluster, options)
      failed = result.violations.length > 0
      return failed ? { ...result, directory } : result
    } finally {
      await cluster.stop()
    }
  } catch (error) {
    throw new Error(
      `the fault-injection round with seed ${options.seed} failed to run; its files are in ${directory}`,
      {
        cause: error,
      },
    )
  } finally {
    if (!failed) await rm(directory, { recursive: true, force: true })
  }
}

async function play(cluster: Cluster, options: RoundOptions): Promise<RoundResult> {
  const { seed, seconds, rate, stuckAfterMs, progress } = options
  await fetch(`${cluster.sandbox.url}/chaos`, { method: 'POST', body: JSON.stringify({ seed, ...chaos }) })
  const shop = openShop({
    url: cluster.url,
    sandboxUrl: cluster.sandbox.url,
    merchants: cluster.merchants,
    name: `round-${seed}`,
  })
  const faults = scheduleOf(seed, { ...options, upgrades: options.release !== undefined })
  const over = new AbortController()
  const plans = planOf(seed, { payments: Math.round(seconds * rate), seconds })
  const selling = shop.run(plans, over.signal)
  const done = await injure(cluster, faults, seconds, progress)
  progress(
    `all faults are over; ${shop.answered.length} create requests returned 200, and ${shop.open().length} have no response yet`,
  )
  over.abort()
  for (const link of Object.values(cluster.links)) link.mend()
  await Promise.all([...cluster.apis, ...cluster.workers].map(process => process.ready()))

  const { recoveredMs, stuck } = await recover(cluster, shop, selling, { stuckAfterMs, progress })
  const redelivered = await redeliverMissing(cluster, { stuckAfterMs, progress })
  const look = () => collect(cluster, shop, faults, redelivered)
  const evidence = await look()
  const violations = [...stuck, ...salesOf(shop, evidence), ...check(evidence)]
  await options.afterwards?.({
    databaseUrl: cluster.postgres.adminUrl(),
    look: async () => check(await look()),
  })
  const ended = await endings(cluster)
  return {
    seed,
    violations: [...violations, ...ended],
    faults: Object.fromEntries(
      [...Map.groupBy(done, ({ name }) => name)].map(([name, same]) => [name, same.length]),
    ),
    payments: evidence.payments.length,
    paid: evidence.payments.filter(({ status }) => status === 'paid').length,
    refunds: {
      succeeded: countRefunds(evidence, 'succeeded'),
      failed: countRefunds(evidence, 'failed'),
      waiting: countRefunds(evidence, 'pending'),
    },
    unanswered: evidence.unanswered.length,
    requests: shop.requests(),
    callbacks: evidence.sent.length,
    webhooks: evidence.arrivals.length,
    surplusWebhooks: surplusOf(evidence),
    redelivered: redelivered.size,
    recoveredMs,
    resumedMs: resumptionsOf(cluster.postgres.promotions, shop.answeredAtMs),
  }
}

/**
 * Returns, for each promotion of a standby, the milliseconds until the service confirmed the next create request. Omits
 * a promotion if the promoted server failed before such a request was confirmed.
 */
const resumptionsOf = (promotions: readonly number[], answeredAtMs: number[]): number[] =>
  promotions.flatMap((promotedAt, n) => {
    const next = answeredAtMs.find(at => at >= promotedAt)
    const wasLostAgain = next !== undefined && (promotions[n + 1] ?? Number.POSITIVE_INFINITY) < next
    return next === undefined || wasLostAgain ? [] : [Math.round(next - promotedAt)]
  })

/** Injects the scheduled faults. Resolves to a list of the faults that could be injected. */
async function injure(
  cluster: Cluster,
  faults: Fault[],
  seconds: number,
  progress: (line: string) => void,
): Promise<Fault[]> {
  const done: Fault[] = []
  const startedAt = performance.now()
  const untilMs = (ms: number) => pause(Math.max(0, ms - (performance.now() - startedAt)))
  // Contains, for each target, a promise that resolves when the target's last fault has ended. A new fault
  // waits for this promise, so faults with the same target run one after another.
  const queues = new Map<string, Promise<void>>()
  for (const [turn, fault] of faults.entries()) {
    await untilMs(fault.atMs)
    const target = targetOf(fault.name)
    progress(
      `${(fault.atMs / 1_000).toFixed(1)} s: injecting the fault ${fault.name} for ${fault.durationMs} ms`,
    )
    const before = queues.get(target) ?? Promise.resolve()
    queues.set(
      target,
      before
        .then(() => inflict(cluster, fault, turn))
        .then(() => void done.push(fault))
        // An injection can fail, for example because a database that was just killed cannot lock its tables.
        .catch(error => progress(`${fault.name} could not be injected: ${error.message}`)),
    )
  }
  await Promise.all(queues.values())
  await untilMs(seconds * 1_000)
  return done
}

/**
 * Checks the payments of a fault-injection round: the service must not permanently reject a valid create request, and
 * at least one payment must be paid.
 */
function salesOf(shop: Shop, { payments }: Evidence): { rule: string; detail: string }[] {
  const refused = [...shop.refusals].map(([message, times]) => ({
    rule: 'no order is rejected',
    detail: `${times} times: ${message}`,
  }))
  const isIdle = !payments.some(({ status }) => status === 'paid')
  return isIdle
    ? [...refused, { rule: 'at least one payment is paid during the round', detail: 'no payment is paid' }]
    : refused
}

async function collect(
  cluster: Cluster,
  shop: Shop,
  faults: Fault[],
  redelivered: Set<string>,
): Promise<Evidence> {
  return {
    ...(await readDatabase(cluster.postgres.adminUrl())),
    ...(await readSandbox(cluster.sandbox.url)),
    answered: shop.answered,
    answeredRefunds: shop.answeredRefunds,
    unanswered: shop.open(),
    arrivals: cluster.receiver.arrivals,
    interruptions: cluster.leaps() + faults.filter(({ name }) => interrupts(name)).length,
    redelivered,
  }
}

/**
 * Stops the processes and checks how they end. A process must not exit before it is stopped, and must exit
 * cleanly on SIGTERM.
 */
async function endings({ apis, workers }: Cluster): Promise<{ rule: string; detail: string }[]> {
  const processes = [...apis, ...workers]
  const byThemselves = processes
    .filter(process => process.ends() > 0)
    .map(({ name, ends }) => ({ rule: 'no process exits unexpectedly', detail: `${name}: ${ends()} times` }))
  const codes = await Promise.all(
    processes.map(async process => ({ name: process.name, code: await process.stop() })),
  )
  const badly = codes
    .filter(({ code }) => code !== 0)
    .map(({ name, code }) => ({ rule: 'a stopped process exits with 0', detail: `${name}: ${code}` }))
  return [...byThemselves, ...badly]
}

const countRefunds = ({ refunds }: Evidence, wanted: string): number =>
  refunds.filter(({ origin, status }) => origin === 'merchant' && status === wanted).length

function surplusOf({ arrivals, events }: Evidence): number {
  const counts = Map.groupBy(arrivals, ({ eventId }) => eventId)
  return events.reduce(
    (sum, { id, attempts }) => sum + Math.max(0, (counts.get(id)?.length ?? 0) - attempts),
    0,
  )
}
