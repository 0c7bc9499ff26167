// Limits concurrent password checks and queues further checks. The queue is round-robin: the IP addresses ("sources")
// of the logins take turns, and so do the accounts of each address. If the queue is full, the last call of the source
// with the most queued calls is rejected, which can be the newly arrived call.

import { fault } from '../../faults/fault.ts'

type QueuedCall = { start(): void; reject(): void }
/**
 * The queued password checks, grouped by source (IP address) and then by account. The order of the entries in the
 * maps is the order in which the sources and accounts take turns.
 */
type Queues = Map<string, Map<string, QueuedCall[]>>

export type RoundRobinQueue = <T>(
  of: { source: string; account: string },
  work: () => Promise<T>,
) => Promise<T>

/**
 * Returns a function that runs at most `running` calls at a time, and at most one per account. Further calls wait and
 * take turns (round-robin). If more than `waiting` calls would wait, one call throws SERVICE_UNAVAILABLE with a message
 * that starts with `what`.
 */
export function roundRobinQueue(most: { running: number; waiting: number; what: string }): RoundRobinQueue {
  const queues: Queues = new Map()
  const running = new Set<string>()
  let waiting = 0

  function enqueue(source: string, account: string, call: QueuedCall): void {
    if (waiting < most.waiting) waiting += 1
    else if (!makeRoom(queues, source, account)) {
      call.reject()
      return
    }
    const accounts = queues.get(source) ?? new Map<string, QueuedCall[]>()
    accounts.set(account, [...(accounts.get(account) ?? []), call])
    queues.set(source, accounts)
  }

  function startNext(): void {
    while (running.size < most.running) {
      const next = takeNext(queues, running)
      if (!next) return
      waiting -= 1
      running.add(next.account)
      next.call.start()
    }
  }

  return async ({ source, account }, work) => {
    await new Promise<void>((resolve, reject) => {
      const rejectCall = () =>
        reject(fault('passwords_at_capacity', { what: most.what }, { retryAfterSeconds: 1 }))
      enqueue(source, account, { start: resolve, reject: rejectCall })
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

/**
 * Removes and returns the next queued call whose account has no running call. Sources take turns, and so do the
 * accounts of a source: the call's source and account move to the end of their queues.
 */
function takeNext(queues: Queues, running: Set<string>): { account: string; call: QueuedCall } | undefined {
  for (const [source, accounts] of queues)
    for (const [account, calls] of accounts) {
      if (running.has(account)) continue
      const call = calls.shift() as QueuedCall
      accounts.delete(account)
      if (calls.length > 0) accounts.set(account, calls)
      queues.delete(source)
      if (accounts.size > 0) queues.set(source, accounts)
      return { account, call }
    }
  return undefined
}

/**
 * Makes room for a new call by rejecting the last call of the longest queue. Returns false if the new call
 * would be the last call of the longest queue. The new call must then be rejected instead.
 */
function makeRoom(queues: Queues, source: string, account: string): boolean {
  const [longest, accounts] = longestOf(queues, lengthOfSource)
  const own = queues.get(source)
  if (longest !== source && lengthOfSource(accounts) <= (own ? lengthOfSource(own) : 0) + 1) return false
  const [busiest, calls] = longestOf(accounts, lengthOfAccount)
  if (longest === source && calls.length <= (accounts.get(account)?.length ?? 0) + 1) return false
  const last = calls.pop() as QueuedCall
  if (calls.length === 0) accounts.delete(busiest)
  if (accounts.size === 0) queues.delete(longest)
  last.reject()
  return true
}

const lengthOfAccount = (calls: QueuedCall[]): number => calls.length
const lengthOfSource = (accounts: Map<string, QueuedCall[]>): number =>
  [...accounts.values()].reduce((sum, calls) => sum + calls.length, 0)

/** Returns the longest queue. Of several equally long queues, returns the one whose turn was last. */
function longestOf<Value>(queues: Map<string, Value>, lengthOf: (value: Value) => number): [string, Value] {
  return [...queues].reduce((longest, each) => (lengthOf(each[1]) >= lengthOf(longest[1]) ? each : longest))
}
