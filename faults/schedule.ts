// Plans the faults of a round and their times from its seed alone. Pure.

import { seeded } from '../packages/server/test/support/chaos.ts'

/** The connections between processes, each through a proxy that can be disturbed. */
export const links = ['database', 'provider', 'receiver', 'api'] as const
export type Link = (typeof links)[number]

/**
 * cut: open connections break and new ones fail. delay: each chunk is late. freeze: connections stay open, but no
 * data passes. mute: requests arrive, but responses do not.
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
  'move clock',
  'rotate credentials',
  ...disturbances.flatMap(disturbance => links.map(link => `${disturbance} ${link}` as const)),
] as const
export type FaultName = (typeof faultNames)[number]

/** durationMs: the time until the fault is reverted. A killed process is down for this time. */
export type Fault = { name: FaultName; atMs: number; durationMs: number }

/** The minutes that each move adds to the clocks of the service and the providers. */
export const CLOCK_MOVES_BY_MINUTES = 25

const SHORTEST_MS = 300
const LONGEST_MS = 5_000

/** The target of a fault. A target has at most one fault at a time. */
export function targetOf(name: FaultName): string {
  const target = name.split(' ')[1] as string
  return ['connections', 'tables'].includes(target) ? 'postgres' : target
}

/**
 * Schedules faults evenly over the round, with some overlap. Every kind occurs once before any kind repeats. No
 * fault of the provider link is active when the clock moves: otherwise the service would see a request arrive
 * minutes late, after the response that the order does not exist.
 */
export function scheduleOf(
  seed: number,
  { faults, seconds, names = faultNames }: { faults: number; seconds: number; names?: readonly FaultName[] },
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
  return begun.map((fault, n) => {
    const later = begun.slice(n + 1)
    const limit = later.find(({ name }) => excludes(fault.name, name))?.atMs ?? seconds * 1_000
    // A fault ends before the next one that excludes it, or at the end of the round.
    return { ...fault, durationMs: Math.max(0, Math.min(fault.durationMs, limit - fault.atMs)) }
  })
}

const excludes = (earlier: FaultName, later: FaultName): boolean =>
  targetOf(earlier) === targetOf(later) || (targetOf(earlier) === 'provider' && later === 'move clock')

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const rest = [...values]
  return values.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0] as T)
}
