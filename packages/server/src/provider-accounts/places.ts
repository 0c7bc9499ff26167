// Limits concurrent requests to providers, so that unresponsive accounts cannot use every slot. One account gets up
// to half of the slots, and all accounts that did not respond last time share one half. However many accounts hang,
// the others can still be called.

export type Places = {
  /** The number of free slots in total. */
  room(): number
  /** The number of slots for an account without history. */
  roomOfEach: number
  /** The number of free slots for each account with history. */
  rooms(): { accountId: string; room: number }[]
  /** Whether the account did not respond last time. */
  isSilent(accountId: string): boolean
  /** Returns false if this account has no free slot. */
  take(accountId: string): boolean
  /** isAnswered: undefined if no request was sent, so nothing is learned about the account. */
  free(accountId: string, isAnswered: boolean | undefined): void
}

export function placesFor(most: number): Places {
  const half = Math.floor(most / 2)
  const taken = new Map<string, number>()
  const silent = new Set<string>()
  let all = 0
  const takenBy = (accountId: string) => taken.get(accountId) ?? 0

  function roomOf(accountId: string): number {
    const own = half - takenBy(accountId)
    if (!silent.has(accountId)) return Math.min(own, most - all)
    const together = [...silent].reduce((sum, each) => sum + takenBy(each), 0)
    return Math.max(0, Math.min(own, half - together, most - all))
  }

  return {
    room: () => most - all,
    roomOfEach: half,
    rooms: () =>
      [...new Set([...taken.keys(), ...silent])].map(accountId => ({ accountId, room: roomOf(accountId) })),
    isSilent: accountId => silent.has(accountId),
    take(accountId) {
      if (roomOf(accountId) <= 0) return false
      taken.set(accountId, takenBy(accountId) + 1)
      all += 1
      return true
    },
    free(accountId, isAnswered) {
      const left = takenBy(accountId) - 1
      if (left > 0) taken.set(accountId, left)
      else taken.delete(accountId)
      all -= 1
      if (isAnswered) silent.delete(accountId)
      else if (isAnswered === false) silent.add(accountId)
    },
  }
}
