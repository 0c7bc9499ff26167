// Limits how many requests of one kind, such as charges, this process has in flight to providers. One account can
// use at most half of the slots. An account counts as unresponsive if its provider did not respond to the
// account's last request. All unresponsive accounts together can use at most half of the slots.

/** The number of requests that may start now for one provider account. */
export type AccountRoom = { accountId: string; room: number }

export type AccountSlots = {
  freeSlots(): number
  /** The number of free slots for each provider account that `freeSlotsOfAccounts` does not list. */
  slotsPerAccount: number
  /**
   * Returns the number of free slots of each provider account that has requests in flight or did not respond
   * to its last request. Other accounts are not listed.
   */
  freeSlotsOfAccounts(): AccountRoom[]
  /** Returns whether the provider failed to respond to this provider account's last request. */
  isUnresponsive(accountId: string): boolean
  /** Acquires a slot for the provider account. Returns false if no slot is free for the account. */
  take(accountId: string): boolean
  /**
   * Frees a slot of the account. `isAnswered` is whether the account responded, or undefined if no request was sent.
   */
  release(accountId: string, isAnswered: boolean | undefined): void
}

export function accountSlots(totalSlots: number): AccountSlots {
  const half = Math.floor(totalSlots / 2)
  const taken = new Map<string, number>()
  const unresponsive = new Set<string>()
  let inUse = 0
  const takenBy = (accountId: string) => taken.get(accountId) ?? 0

  function freeSlotsOf(accountId: string): number {
    const own = half - takenBy(accountId)
    if (!unresponsive.has(accountId)) return Math.min(own, totalSlots - inUse)
    const together = [...unresponsive].reduce((sum, each) => sum + takenBy(each), 0)
    return Math.max(0, Math.min(own, half - together, totalSlots - inUse))
  }

  return {
    freeSlots: () => totalSlots - inUse,
    slotsPerAccount: half,
    freeSlotsOfAccounts: () =>
      [...new Set([...taken.keys(), ...unresponsive])].map(accountId => ({
        accountId,
        room: freeSlotsOf(accountId),
      })),
    isUnresponsive: accountId => unresponsive.has(accountId),
    take(accountId) {
      if (freeSlotsOf(accountId) <= 0) return false
      taken.set(accountId, takenBy(accountId) + 1)
      inUse += 1
      return true
    },
    release(accountId, isAnswered) {
      const left = takenBy(accountId) - 1
      if (left > 0) taken.set(accountId, left)
      else taken.delete(accountId)
      inUse -= 1
      if (isAnswered) unresponsive.delete(accountId)
      else if (isAnswered === false) unresponsive.add(accountId)
    },
  }
}

/**
 * Merges lists of free slots per provider account. If an account is in several lists, returns its smallest number of
 * free slots.
 */
export function fewestSlots(rooms: AccountRoom[]): AccountRoom[] {
  const least = new Map<string, number>()
  for (const { accountId, room } of rooms) least.set(accountId, Math.min(room, least.get(accountId) ?? room))
  return [...least].map(([accountId, room]) => ({ accountId, room }))
}
