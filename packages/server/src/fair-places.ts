// Divides places among owners: a request, an export or a charge takes one for as long as it is in flight. There is no
// queue: an owner that gets no place is refused at once.
//
// An owner's weight is its own bound, and half of all places at most. Two rules hold, in which `most` is all places:
// 1. For each place that an owner holds per weight, as many per half of `most` stay free. So an owner that holds nothing
//    finds a place.
// 2. Where owners were refused lately, each of them gets at most weight / (sum of their weights + most / 2) of all.
// With k owners that ask all the time each comes to hold at least 1/k of its weight, which is all that it could hold
// alone, in whatever order they ask and however long they hold a place (docs/decisions/0032-fair-admission.md).

/** own: that of the owner; all: there are too few left. */
export type Bound = 'own' | 'all'

export type FairPlaces = {
  /** Takes so many more, or returns the bound that they would pass. own: how many the owner may hold at most. */
  take(owner: string, own: number, places?: number): Bound | undefined
  free(owner: string, places?: number): void
  /** Those that hold places. */
  owners(): number
}

/** How long a refusal counts. Callers repeat after a second. */
const LATELY_MS = 2_000

export function fairPlaces(most: number, nowMs = () => performance.now()): FairPlaces {
  const held = new Map<string, number>()
  const half = most / 2
  const refused = recently(nowMs)
  let all = 0

  function isFair(owner: string, weight: number, mine: number): boolean {
    return (
      mine * half <= weight * (most - all) && mine * (refused.sumWith(owner, weight) + half) <= weight * most
    )
  }

  return {
    take(owner, own, places = 1) {
      const mine = (held.get(owner) ?? 0) + places
      if (mine > own) return 'own'
      const weight = Math.min(own, half)
      // The first of an owner needs room and nothing else, whatever its weight.
      if (places > most - all || (mine > places && !isFair(owner, weight, mine))) {
        refused.add(owner, weight)
        return 'all'
      }
      held.set(owner, mine)
      all += places
      return undefined
    },
    free(owner, places = 1) {
      const left = (held.get(owner) as number) - places
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
      all -= places
    },
    owners: () => held.size,
  }
}

/** Owners and their weights. Remembers for one to two halves of the time: forgetting takes no search. */
function recently(nowMs: () => number) {
  let current = new Map<string, number>()
  let before = new Map<string, number>()
  let sumOfCurrent = 0
  let sumOfBoth = 0
  let since = 0

  function forget(): void {
    const now = nowMs()
    if (now - since < LATELY_MS / 2) return
    const isKept = now - since < LATELY_MS
    before = isKept ? current : new Map()
    sumOfBoth = isKept ? sumOfCurrent : 0
    current = new Map()
    sumOfCurrent = 0
    since = now
  }

  return {
    add(owner: string, weight: number): void {
      forget()
      if (current.has(owner)) return
      current.set(owner, weight)
      sumOfCurrent += weight
      sumOfBoth += weight - (before.get(owner) ?? 0)
    },
    /** Of the weights, this owner's included. */
    sumWith(owner: string, weight: number): number {
      if (sumOfBoth === 0) return weight
      forget()
      return sumOfBoth - (current.get(owner) ?? before.get(owner) ?? 0) + weight
    },
  }
}
