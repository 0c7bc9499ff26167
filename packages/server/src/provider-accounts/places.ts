// So many questions to providers at a time, and never all of them with those that do not answer. An account has half of
// the places at most, and the accounts that did not answer the last time have together no more than that: however many
// of them hang, the others are asked.

export type Places = {
  /** Free ones, of all. */
  room(): number
  /** Of one account that nothing is known of. */
  roomOfEach: number
  /** Of the accounts of which something is: how many more. */
  rooms(): { accountId: string; room: number }[]
  /** It did not answer the last time. */
  isSilent(accountId: string): boolean
  /** False where there is none for this account. */
  take(accountId: string): boolean
  /** isAnswered: undefined where the provider was not asked, so nothing is learned about it. */
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
