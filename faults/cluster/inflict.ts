// Does a fault to a cluster, and undoes it after its time.

import { setTimeout as pause } from 'node:timers/promises'
import {
  CLOCK_MOVES_BY_MINUTES,
  type Disturbance,
  type Fault,
  type FaultName,
  type Link as LinkName,
  targetOf,
} from '../schedule.ts'
import type { Cluster } from './cluster.ts'

/**
 * Those after which an attempt of a webhook may have been made and not be on record: whoever made it, or where it
 * was to be written, was away. When the clock leaps, it is no longer held by whoever is making it.
 */
export const interrupts = (name: FaultName): boolean =>
  ['worker', 'postgres', 'database'].includes(targetOf(name))

/** turn: of several processes of a kind, each has its turn. */
export async function inflict(cluster: Cluster, { name, durationMs }: Fault, turn: number): Promise<void> {
  const { postgres, apis, workers } = cluster
  switch (name) {
    case 'kill api':
      return apis[turn % apis.length]?.kill(durationMs)
    case 'kill worker':
      return workers[turn % workers.length]?.kill(durationMs)
    case 'kill postgres':
      return postgres.kill(durationMs)
    case 'restart postgres':
      return postgres.restart(durationMs)
    case 'fill connections':
      return postgres.fillConnections(durationMs)
    case 'lock tables':
      return postgres.lockTables(durationMs)
    case 'rotate credentials':
      return cluster.rotateCredentials()
    case 'move clock':
      return cluster.moveClock(CLOCK_MOVES_BY_MINUTES * 60_000)
    default: {
      const [disturbance, link] = name.split(' ') as [Disturbance, LinkName]
      cluster.links[link].disturb(disturbance)
      await pause(durationMs)
      cluster.links[link].mend()
    }
  }
}
