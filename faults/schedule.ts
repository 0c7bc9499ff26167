// Which faults a round meets, and when: follows from its seed alone. Pure.

import { seeded } from '../packages/server/test/support/chaos.ts'

/** What is between two processes, as a proxy that can be disturbed. */
export const links = ['database', 'provider', 'receiver', 'api'] as const
export type Link = (typeof links)[number]

/**
 * cut: nobody is connected, nobody gets through. delay: each chunk is late. freeze: everyone stays connected, nothing
 * goes through. mute: what is asked arrives, the answer never does.
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

/** durationMs: until what was done is undone; a killed process is away for so long. */
export type Fault = { name: FaultName; atMs: number; durationMs: number }

/** By how much the clock of the service and the providers is ahead after each move, in minutes. */
export const CLOCK_MOVES_BY_MINUTES = 25

const SHORTEST_MS = 300
const LONGEST_MS = 5_000

/** What can have one fault at a time. */
export function targetOf(name: FaultName): string {
  const target = name.split(' ')[1] as string
  return ['connections', 'tables'].includes(target) ? 'postgres' : target
}

/**
 * One after the other, evenly over the round, each with some of the next: every kind comes up before one does again.
 * Nothing is still held back at the provider's link when the clock moves: to the service, a request that was on its way
 * for minutes may arrive after the answer that there is no such order.
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
    // The last ones end with the round, those in the way of another when it begins.
    return { ...fault, durationMs: Math.max(0, Math.min(fault.durationMs, limit - fault.atMs)) }
  })
}

const excludes = (earlier: FaultName, later: FaultName): boolean =>
  targetOf(earlier) === targetOf(later) || (targetOf(earlier) === 'provider' && later === 'move clock')

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const rest = [...values]
  return values.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0] as T)
}
