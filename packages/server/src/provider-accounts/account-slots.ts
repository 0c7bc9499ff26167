// Limits concurrent requests to providers, so that unresponsive accounts cannot use every slot. One account gets up to
// half of the slots. All accounts that did not respond to their last request share one half. However many accounts
// hang, all other accounts can still be called.

export type Places = {
  /** Returns the number of free slots in total. */
  room(): number
  /** The number of slots for an account that `rooms` does not list. */
  roomOfEach: number
  /**
   * Returns the number of free slots for each account that has requests in flight or did not respond to its last one.
   */
  rooms(): { accountId: string; room: number }[]
  /** Whether the account did not respond to its last request. */
  isSilent(accountId: string): boolean
  /** Takes a slot for the account. Returns false if the account has no free slot. */
  take(accountId: string): boolean
  /** Frees a slot. `isAnswered` is undefined if no request was sent, so that nothing is learned about the account. */
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
