// Limits how much work runs at a time and queues the rest. Scheduling is round-robin over the sources, and within a
// source over its accounts. So a source that sends a thousand requests delays another by one turn. When the queue is
// full, the longest queue loses its last waiter to a shorter one.

import { fault } from './faults/fault.ts'

type Waiter = { start(): void; refuse(): void }
/** Sources, and their accounts, in the order of their next turns. */
type Queues = Map<string, Map<string, Waiter[]>>

export type FairTurns = <T>(of: { source: string; account: string }, work: () => Promise<T>) => Promise<T>

/**
 * Runs at most one call per account at a time. Throws SERVICE_UNAVAILABLE when more than `waiting` are queued; `what`
 * starts the message.
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

/** Removes the next waiter and moves its source and account to the back. */
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

/** Rejects the last waiter of the longest queue. Returns false if the newcomer's own queue would be the longest. */
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

/** Returns the longest queue; among queues of equal length, the one whose turn comes last. */
function longestOf<Value>(queues: Map<string, Value>, lengthOf: (value: Value) => number): [string, Value] {
  return [...queues].reduce((longest, each) => (lengthOf(each[1]) >= lengthOf(longest[1]) ? each : longest))
}
