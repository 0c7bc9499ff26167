// Divides places among owners: a request, an export or a charge takes one for as long as it is in flight. Nobody waits
// for a place; who gets none is refused at once.
//
// An owner gets a place while it holds fewer than are free. So as many places as one owner holds stay free for the
// others, and an owner that holds nothing gets a place as long as there is one. Where several owners were refused lately,
// none of these k gets more than 1/(k+1) of all. So each of k owners that always ask comes to hold that much, in whatever
// order they ask: at least 1/k of the half that it could hold alone (docs/decisions/0032-fair-admission.md).

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
  const refused = recently(nowMs)
  let all = 0
  return {
    take(owner, own, places = 1) {
      const mine = (held.get(owner) ?? 0) + places
      if (mine > own) return 'own'
      const isFair = mine === places || mine * (refused.countWith(owner) + 1) <= most
      if (!isFair || mine > most - all) {
        refused.add(owner)
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

/** Remembers for one to two halves of the time: forgetting takes no search. */
function recently(nowMs: () => number) {
  let current = new Set<string>()
  let before = new Set<string>()
  let both = 0
  let since = 0

  function forget(): void {
    const now = nowMs()
    if (now - since < LATELY_MS / 2) return
    before = now - since < LATELY_MS ? current : new Set()
    current = new Set()
    both = before.size
    since = now
  }

  return {
    add(owner: string): void {
      forget()
      if (current.has(owner)) return
      current.add(owner)
      if (!before.has(owner)) both++
    },
    /** Of owners, this one included. */
    countWith(owner: string): number {
      if (both === 0) return 1
      forget()
      return both + (current.has(owner) || before.has(owner) ? 0 : 1)
    },
  }
}
