// Limits how many calls run at a time and queues the rest. Scheduling is round-robin over the sources of calls, and
// within a source over its accounts. So a source that sends a thousand calls delays another source only by one call.
// When too many calls are queued, the last call in the longest queue is rejected, unless the new call belongs to that
// queue.

import { fault } from '../../faults/fault.ts'

type Waiter = { start(): void; refuse(): void }
/** Source → account → queued calls. Sources and accounts are in the order in which their calls run next. */
type Queues = Map<string, Map<string, Waiter[]>>

export type FairTurns = <T>(of: { source: string; account: string }, work: () => Promise<T>) => Promise<T>

/**
 * Returns a function that runs calls in fair turns, at most one per account at a time. A call throws
 * SERVICE_UNAVAILABLE if more than `waiting` calls are queued; the error message starts with `what`.
 */
export function fairTurns(most: { running: number; waiting: number; what: string }): FairTurns {
  const queues: Queues = new Map()
  const running = new Set<string>()
  let waiting = 0

  function enter(source: string, account: string, waiter: Waiter): void {
    if (waiting < most.waiting) waiting += 1
    else if (!makeRoom(queues, source, account)) {
      waiter.refuse()
      return
    }
    const accounts = queues.get(source) ?? new Map<string, Waiter[]>()
    accounts.set(account, [...(accounts.get(account) ?? []), waiter])
    queues.set(source, accounts)
  }

  function startNext(): void {
    while (running.size < most.running) {
      const turn = nextTurn(queues, running)
      if (!turn) return
      waiting -= 1
      running.add(turn.account)
      turn.waiter.start()
    }
  }

  return async ({ source, account }, work) => {
    await new Promise<void>((resolve, reject) => {
      const refuse = () =>
        reject(fault('passwords_at_capacity', { what: most.what }, { retryAfterSeconds: 1 }))
      enter(source, account, { start: resolve, refuse })
      startNext()
    })
    try {
      return await work()
    } finally {
      running.delete(account)
      startNext()
    }
  }
}

/** Removes and returns the next queued call. Moves its source and account to the end of the order. */
function nextTurn(queues: Queues, running: Set<string>): { account: string; waiter: Waiter } | undefined {
  for (const [source, accounts] of queues)
    for (const [account, waiters] of accounts) {
      if (running.has(account)) continue
      const waiter = waiters.shift() as Waiter
      accounts.delete(account)
      if (waiters.length > 0) accounts.set(account, waiters)
      queues.delete(source)
      if (accounts.size > 0) queues.set(source, accounts)
      return { account, waiter }
    }
  return undefined
}

/** Rejects the last call of the longest queue. Returns false if the queue of the new call would be the longest. */
function makeRoom(queues: Queues, source: string, account: string): boolean {
  const [longest, accounts] = longestOf(queues, ofSource)
  const own = queues.get(source)
  if (longest !== source && ofSource(accounts) <= (own ? ofSource(own) : 0) + 1) return false
  const [busiest, waiters] = longestOf(accounts, ofAccount)
  if (longest === source && waiters.length <= (accounts.get(account)?.length ?? 0) + 1) return false
  const last = waiters.pop() as Waiter
  if (waiters.length === 0) accounts.delete(busiest)
  if (accounts.size === 0) queues.delete(longest)
  last.refuse()
  return true
}

const ofAccount = (waiters: Waiter[]): number => waiters.length
const ofSource = (accounts: Map<string, Waiter[]>): number =>
  [...accounts.values()].reduce((sum, waiters) => sum + waiters.length, 0)

/** Returns the longest queue. Among queues of equal length, it is the one whose turn comes last. */
function longestOf<Value>(queues: Map<string, Value>, lengthOf: (value: Value) => number): [string, Value] {
  return [...queues].reduce((longest, each) => (lengthOf(each[1]) >= lengthOf(longest[1]) ? each : longest))
}
