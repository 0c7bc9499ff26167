// Limits how much the large responses to one owner (such as a tenant) slow down other owners. After a burst, each owner
// may read only a limited number of bytes per second. Further reads wait in a queue, and are rejected if the queue is
// full. A second limit applies to the bytes that clients have not received yet, so a client that stops reading gets no
// more data.

import { setTimeout as pause } from 'node:timers/promises'
import { fault } from '../faults/fault.ts'
import { boundedCache } from '../values/bounded-cache.ts'
import { type ExceededLimit, fairSlots } from './fair-slots.ts'

type Limits = {
  bytesPerSecond: number
  /** The number of bytes that an owner, such as a tenant, may read in a burst without waiting. */
  burst: number
  /** The maximum number of reads of one owner, such as a tenant, that may wait at the same time. */
  maxWaiting: number
  /**
   * The maximum size of the responses that callers have not received yet, in bytes: `all` for all owners together,
   * and `own` for one owner.
   */
  unreceived: { all: number; own: number }
  /** Responses with fewer bytes than this number do not count toward the limits for large reads. */
  small: number
}

type Account = { debt: number; sinceMs: number; waiting: number; last: Promise<unknown> }

/**
 * The recipient of the data, such as the client that downloads an export. `onReceived` registers a function
 * that is called when the recipient has received the response or has disconnected.
 */
export type Reader = { owner: string; onReceived: (run: () => void) => void }
export type LargeReadLimit = <Value extends { bytes: number }>(
  reader: Reader,
  read: () => Promise<Value>,
) => Promise<Value>

const MAX_OWNERS = 10_000

export function largeReadLimit({
  bytesPerSecond,
  burst,
  maxWaiting,
  unreceived,
  small,
}: Limits): LargeReadLimit {
  const accounts = boundedCache<Account>(MAX_OWNERS)
  const unreceivedBytes = fairSlots(unreceived.all)

  function accountOf(owner: string): Account {
    const known = accounts.get(owner)
    if (known) return known
    const account = { debt: 0, sinceMs: performance.now(), waiting: 0, last: Promise.resolve() }
    accounts.set(owner, account)
    return account
  }

  function msUntilPaid(account: Account): number {
    const now = performance.now()
    account.debt = Math.max(0, account.debt - ((now - account.sinceMs) / 1_000) * bytesPerSecond)
    account.sinceMs = now
    return Math.max(0, ((account.debt - burst) / bytesPerSecond) * 1_000)
  }

  async function readNow<Value extends { bytes: number }>(
    account: Account,
    { owner, onReceived }: Reader,
    read: () => Promise<Value>,
  ): Promise<Value> {
    // The size of the response is not known before the read. The read may start if a response of the smallest size that
    // counts (`small`) would be within the limit of unreceived bytes.
    const exceeded = unreceivedBytes.take(owner, unreceived.own, small)
    if (exceeded) throw tooMuchUnreceived(exceeded)
    unreceivedBytes.release(owner, small)
    const value = await read()
    if (value.bytes < small) return value
    account.debt += value.bytes
    const exceededByValue = unreceivedBytes.take(owner, unreceived.own, value.bytes)
    if (exceededByValue) throw tooMuchUnreceived(exceededByValue)
    onReceived(() => unreceivedBytes.release(owner, value.bytes))
    return value
  }

  return async (reader, read) => {
    const account = accountOf(reader.owner)
    if (account.waiting === 0 && msUntilPaid(account) === 0) return readNow(account, reader, read)
    if (account.waiting >= maxWaiting) throw fault('own_reads_at_capacity', {}, { retryAfterSeconds: 1 })
    account.waiting++
    const turn = account.last.then(async () => {
      await pause(msUntilPaid(account))
      return readNow(account, reader, read)
    })
    account.last = turn.catch(() => {}).finally(() => account.waiting--)
    return turn
  }
}

const tooMuchUnreceived = (exceeded: ExceededLimit) =>
  fault(exceeded === 'own' ? 'responses_not_received' : 'responses_at_capacity', {}, { retryAfterSeconds: 1 })

const MIB = 1024 * 1024

/**
 * The limits for tenants' large reads, such as exports. They allow an export of payments to write about 4,000 lines per
 * second.
 */
export const limitLargeReads = largeReadLimit({
  bytesPerSecond: 4 * MIB,
  burst: 2 * MIB,
  maxWaiting: 32,
  unreceived: { all: 64 * MIB, own: 16 * MIB },
  small: 32 * 1024,
})

/**
 * Reads a list that is returned as a whole, without pages. `bytesOfRow` is the approximate size of a row in the response.
 */
export async function limitWholeList<Row>(
  { caller, onReceived }: Pick<Reader, 'onReceived'> & { caller: { tenantId: string } },
  bytesOfRow: number,
  read: () => Promise<Row[]>,
): Promise<Row[]> {
  const { rows } = await limitLargeReads({ owner: caller.tenantId, onReceived }, async () => {
    const rows = await read()
    return { rows, bytes: rows.length * bytesOfRow }
  })
  return rows
}
