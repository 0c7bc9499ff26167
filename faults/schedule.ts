// Plans which faults a test round injects, and when. The same options and the same seed give the same plan.

import { seeded } from '../packages/server/test/support/seeded-random.ts'

/** Lists the network links between processes. Each link is a proxy that faults can disturb. */
export const links = ['database', 'provider', 'receiver', 'api'] as const
export type Link = (typeof links)[number]

/**
 * The ways in which a fault can disturb a network link.
 * - cut: open connections break and new connections fail.
 * - delay: each chunk of data arrives late.
 * - freeze: connections stay open, but no data passes.
 * - mute: requests arrive, but responses do not.
 */
export const disturbances = ['cut', 'delay', 'freeze', 'mute'] as const
export type Disturbance = (typeof disturbances)[number]

export const faultNames = [
  'kill api',
  'kill worker',
  'kill postgres',
  'restart postgres',
  'fill connections',
  'lock tables',
  'promote standby',
  'fill disk',
  'corrupt page',
  'move clock',
  'skew clock',
  'rotate credentials',
  ...disturbances.flatMap(disturbance => links.map(link => `${disturbance} ${link}` as const)),
] as const
/**
 * The fault that upgrades the service. It is the only fault without a random schedule: it happens once in each
 * fault-injection round that starts with an earlier release.
 */
export const UPGRADE = 'upgrade service' as const
export type FaultName = (typeof faultNames)[number] | typeof UPGRADE

/**
 * A fault in a fault-injection round. It is injected at `atMs` and reverted `durationMs` later. If the fault kills a
 * process, the process restarts when the fault is reverted.
 */
export type Fault = { name: FaultName; atMs: number; durationMs: number }

/** The number of minutes by which a `move clock` fault moves the service's and the providers' clocks forward. */
export const CLOCK_MOVES_BY_MINUTES = 25

/** The number of seconds by which a `skew clock` fault sets back the clock of one process. */
export const CLOCK_SKEW_SECONDS = 30

const SHORTEST_MS = 300
const LONGEST_MS = 5_000

/**
 * Returns the target of a fault, such as a process or a network link. Faults with the same target never run at
 * the same time.
 */
export function targetOf(name: FaultName): string {
  const target = name.split(' ')[1] as string
  return ['connections', 'tables', 'standby', 'disk', 'page'].includes(target) ? 'postgres' : target
}

/**
 * Schedules faults evenly over the round, with some overlap. Every kind of fault occurs once before any kind repeats.
 * While a fault affects the link to the provider, the clock is not moved. Otherwise, a status inquiry could report an
 * order as missing before the delayed request that creates the order arrives.
 */
export function scheduleOf(
  seed: number,
  {
    faults,
    seconds,
    names = faultNames,
    upgrades = false,
  }: { faults: number; seconds: number; names?: readonly FaultName[]; upgrades?: boolean },
): Fault[] {
  const random = seeded(seed)
  const spacingMs = (seconds * 1_000) / faults
  const order: FaultName[] = []
  while (order.length < faults) order.push(...shuffled(names, random))
  const begun = order.slice(0, faults).map((name, n) => ({
    name,
    atMs: Math.round((n + random() * 0.8) * spacingMs),
    durationMs: Math.round(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS)),
  }))
  // The upgrade starts at a fixed time, without drawing a random number. The other faults of a seed are therefore the
  // same with and without an upgrade.
  const upgrade: Fault[] = upgrades ? [{ name: UPGRADE, atMs: Math.round(seconds * 300), durationMs: 0 }] : []
  const scheduled = begun.map((fault, n) => {
    const later = begun.slice(n + 1)
    const limit = later.find(({ name }) => excludes(fault.name, name))?.atMs ?? seconds * 1_000
    // Some faults must not overlap, for example two faults with the same target. A fault therefore ends
    // before the next fault that it must not overlap, or at the end of the round.
    return { ...fault, durationMs: Math.max(0, Math.min(fault.durationMs, limit - fault.atMs)) }
  })
  return [...scheduled, ...upgrade].toSorted((a, b) => a.atMs - b.atMs)
}

const excludes = (earlier: FaultName, later: FaultName): boolean =>
  targetOf(earlier) === targetOf(later) || (targetOf(earlier) === 'provider' && later === 'move clock')

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const rest = [...values]
  return values.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0] as T)
}
