import { fault } from '../faults/fault.ts'
import { fairSlots } from './fair-slots.ts'

export type FairLimit = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/**
 * Returns a function that limits concurrent calls in this process. At most `all` calls run at a time, and at most `own`
 * calls for each owner. A call above `own` throws RATE_LIMITED, and a call above `all` throws SERVICE_UNAVAILABLE.
 * `what` is the plural noun for the calls in the error message.
 */
export function fairLimit({ all, own, what }: { all: number; own: number; what: string }): FairLimit {
  const slots = fairSlots(all)
  return async (owner, work) => {
    const exceeded = slots.take(owner, own)
    if (exceeded === 'own') throw fault('own_work_at_capacity', { most: own, what }, { retryAfterSeconds: 1 })
    if (exceeded === 'all') throw fault('work_at_capacity', { what }, { retryAfterSeconds: 1 })
    try {
      return await work()
    } finally {
      slots.release(owner)
    }
  }
}
