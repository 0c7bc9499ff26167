// Injects a fault into a cluster and reverts it after its duration.

import { setTimeout as pause } from 'node:timers/promises'
import {
  CLOCK_MOVES_BY_MINUTES,
  CLOCK_SKEW_SECONDS,
  type Disturbance,
  type Fault,
  type FaultName,
  type Link as LinkName,
  targetOf,
} from '../schedule.ts'
import type { Cluster } from './cluster.ts'

/**
 * Returns whether the fault can prevent the service from recording a webhook attempt. Such a fault makes the worker or
 * database unavailable, or lets a wrong clock end the worker's lease on the event too early. For faults that move all
 * clocks, the result is false, because they are counted separately.
 */
export const interrupts = (name: FaultName): boolean =>
  ['worker', 'postgres', 'database'].includes(targetOf(name)) || name === 'skew clock'

/**
 * Injects the fault. If several processes of the same kind run, `turn`, modulo their number, selects the
 * affected process.
 */
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
    case 'promote standby':
      return postgres.failOver(durationMs)
    case 'corrupt page':
      return postgres.corruptPage(durationMs, turn)
    case 'fill disk':
      return postgres.fillDisk(durationMs)
    case 'skew clock':
      return cluster.skewClock(turn, -CLOCK_SKEW_SECONDS * 1_000, durationMs)
    case 'upgrade service':
      return cluster.upgrade()
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
