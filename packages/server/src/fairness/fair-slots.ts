// Divides slots among owners. A request, an export or a charge uses one slot while it is in flight. If it
// cannot get a slot, it is rejected immediately.
//
// The weight of an owner is its own slot limit, but at most half of all slots. An owner gets a new slot only
// if two rules are satisfied:
// 1. Free slots: if an owner uses x % of its weight, it gets a slot only if at least x % of half of all slots
//    are free. An owner without a slot can therefore always get a free slot.
// 2. Shares: an owner may use at most this fraction of all slots: weight / (sum of weights + half of all slots). The
//    sum includes this owner and the owners that were rejected in the last one to two seconds.
//
// If k owners constantly request slots, each owner eventually gets at least 1/k of its weight, in whatever order the
// owners send their requests. If only one owner requests slots, it can get its whole weight
// (docs/decisions/0032-fair-admission.md).

/**
 * The limit that causes a request for a slot to be rejected. `own`: the owner has reached its own limit.
 * `all`: too few of the slots that all owners share are free.
 */
export type ExceededLimit = 'own' | 'all'

export type FairSlots = {
  /**
   * Acquires slots and returns undefined. If the owner would then exceed a limit, acquires no slot and returns the
   * name of this limit. `own` is the maximum number of slots for this owner.
   */
  take(owner: string, own: number, count?: number): ExceededLimit | undefined
  release(owner: string, count?: number): void
  /** Returns the number of owners currently using at least one slot. */
  owners(): number
}

/**
 * How long an owner counts as still requesting slots after one of its requests was rejected. Rejected
 * callers retry after a second.
 */
const RECENT_MS = 2_000

export function fairSlots(totalSlots: number, nowMs = () => performance.now()): FairSlots {
  const held = new Map<string, number>()
  const half = totalSlots / 2
  const rejected = recentOwners(nowMs)
  let inUse = 0

  function isFair(owner: string, weight: number, ownSlots: number): boolean {
    return (
      ownSlots * half <= weight * (totalSlots - inUse) &&
      ownSlots * (rejected.sumWith(owner, weight) + half) <= weight * totalSlots
    )
  }

  return {
    take(owner, own, count = 1) {
      const mine = (held.get(owner) ?? 0) + count
      if (mine > own) return 'own'
      const weight = Math.min(own, half)
      // An owner's first slot needs only a free slot, regardless of the owner's weight.
      if (count > totalSlots - inUse || (mine > count && !isFair(owner, weight, mine))) {
        rejected.add(owner, weight)
        return 'all'
      }
      held.set(owner, mine)
      inUse += count
      return undefined
    },
    release(owner, count = 1) {
      const left = (held.get(owner) as number) - count
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
      inUse -= count
    },
    owners: () => held.size,
  }
}

/**
 * The recently rejected owners and their weights. Entries are removed in groups, without a search, at an age
 * between RECENT_MS / 2 and RECENT_MS.
 */
function recentOwners(nowMs: () => number) {
  let current = new Map<string, number>()
  let before = new Map<string, number>()
  let sumOfCurrent = 0
  let sumOfBoth = 0
  let since = 0

  function dropOld(): void {
    const now = nowMs()
    if (now - since < RECENT_MS / 2) return
    const isKept = now - since < RECENT_MS
    before = isKept ? current : new Map()
    sumOfBoth = isKept ? sumOfCurrent : 0
    current = new Map()
    sumOfCurrent = 0
    since = now
  }

  return {
    add(owner: string, weight: number): void {
      dropOld()
      if (current.has(owner)) return
      current.set(owner, weight)
      sumOfCurrent += weight
      sumOfBoth += weight - (before.get(owner) ?? 0)
    },
    /** Returns the sum of the weights of this owner and all recently rejected owners. */
    sumWith(owner: string, weight: number): number {
      if (sumOfBoth === 0) return weight
      dropOld()
      return sumOfBoth - (current.get(owner) ?? before.get(owner) ?? 0) + weight
    },
  }
}
