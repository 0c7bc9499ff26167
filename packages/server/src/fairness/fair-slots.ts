// Divides slots for concurrent work among owners, such as tenants. A request, an export or a charge uses one slot while
// it is in flight. Without a free slot, it is rejected immediately.
//
// An owner's weight is the number of slots that it could get alone: its own slot limit, but at most half of all slots.
// An owner gets a new slot only if two rules are met:
// 1. Free slots: if an owner uses x % of its weight, at least x % of half of all slots must be free. An owner without a
//    slot can therefore always get a free slot.
// 2. Shares: an owner may use at most the fraction weight / (sum of weights + half of all slots) of all slots. The sum
//    includes this owner and the owners that were rejected in the last one to two seconds.
//
// If k owners constantly request slots in any order, each owner eventually gets at least 1/k of its weight. A single
// owner can get its whole weight (docs/decisions/0032-fair-admission.md).

/**
 * Why an owner (such as a tenant) gets no slot for its work. `own`: the owner has reached its own limit.
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
  /** Returns how many owners (such as tenants) currently use at least one slot. */
  owners(): number
}

/**
 * How long an owner whose request for a slot was rejected still counts as wanting a slot. Rejected callers
 * retry after a second.
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
      // An owner that uses no slot yet gets its first slot if any slot is free. The owner's weight (the number of
      // slots that it could get alone) does not matter for this slot.
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
 * Remembers the weights of the owners (such as tenants) that were rejected recently. Entries are removed in
 * groups at an age between RECENT_MS / 2 and RECENT_MS, so that no search for old entries is necessary.
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
    /**
     * Returns the weight of this owner (such as a tenant), plus the weights of all other owners whose
     * requests for slots were recently rejected.
     */
    sumWith(owner: string, weight: number): number {
      if (sumOfBoth === 0) return weight
      dropOld()
      return sumOfBoth - (current.get(owner) ?? before.get(owner) ?? 0) + weight
    },
  }
}
