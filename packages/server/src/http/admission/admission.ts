// Admits requests in three steps:
// 1. Before the body is read, the service checks the credential or, for a callback, looks up the provider account in
//    the path. These checks are limited per source IP address (auth/api-keys/key-guess-limit.ts, callbacks.ts).
// 2. While the body is arriving, the request counts only toward the limit on arriving bodies. If the body arrives too
//    slowly, or too many bodies are arriving, the service ends the request.
// 3. Then the request occupies a slot and counts toward its owner's limit on concurrent requests. The owner is the
//    tenant, the provider account, or the IP address of a request without a credential.
//
// Callbacks have their own slots for concurrent requests. Payments are therefore recorded even if requests of other
// kinds use all their slots. Requests without a credential ("strangers") also have their own slots. Requests for health
// checks and metrics are always admitted.

import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { Context } from '../../api/context.ts'
import type { DatabaseProbe } from '../../db/database-probe.ts'
import { eventLoopLimit } from '../../fairness/event-loop-limit.ts'
import { type ExceededLimit, fairSlots } from '../../fairness/fair-slots.ts'
import { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import { httpMetrics } from '../http-metrics.ts'
import { arrivingBodies } from './arriving-body.ts'

/**
 * The limits shared by all requests of one kind: requests without a credential (`strangers`), requests from tenants
 * (`merchants`), and callbacks (`providers`). `requests` limits the requests in flight, and `bytes` the total size of
 * their bodies. `arriving` limits the bodies that are being received, and `ofSender` those from one sender.
 *
 * The limits on concurrent requests are high, because a create request can wait ten seconds for the provider, during
 * which it needs few resources.
 */
export const totalLimits = {
  strangers: { requests: 512, bytes: 16 * 1024 * 1024, arriving: 256, ofSender: 64 },
  merchants: { requests: 1_024, bytes: 64 * 1024 * 1024, arriving: 512, ofSender: 128 },
  providers: { requests: 512, bytes: 32 * 1024 * 1024, arriving: 256, ofSender: 64 },
}
type From = keyof typeof totalLimits

/**
 * The maximum number of requests in flight for an IP address that sends no credential (`source`), and for a provider
 * account (`account`). The operator sets the maximum for a tenant. Every maximum is at most half of all slots, so that
 * no owner can use all slots (fair-slots.ts).
 */
export const ownerLimits = { source: 256, account: 256 }

/**
 * The maximum number of requests by one owner, such as a tenant, that start in one turn of the event loop. The
 * maximum is greater than one, because requests that start together share database statements.
 */
const MAX_STARTS_PER_TURN = 16

const RETRY_AFTER_SECONDS = 1

/**
 * The tenant, provider account or IP address toward whose limit a request counts. `own` is the limit on its
 * requests in flight.
 */
export type SlotOwner = { share: SlotPool; id: string; own: number; sender: string; isTenant: boolean }

export type Admission = {
  ownerOf(context: Pick<Context, 'caller' | 'source'>): SlotOwner
  ofAccount(accountId: string, source: string): SlotOwner
}

export function admission(): Admission {
  const strangers = slotPool('strangers')
  const merchants = slotPool('merchants')
  const providers = slotPool('providers')
  return {
    ownerOf({ caller, source }) {
      if (!(caller instanceof GatewayError)) {
        const { tenantId, limits } = caller
        return {
          share: merchants,
          id: tenantId,
          own: limits.requestsInFlight,
          sender: tenantId,
          isTenant: true,
        }
      }
      const id = source()
      return { share: strangers, id, own: ownerLimits.source, sender: id, isTenant: false }
    },
    // Arriving bodies are counted separately for each combination of provider account and sender. A single sender of
    // slow callbacks therefore cannot use up the account's limit.
    ofAccount: (id, source) => ({
      share: providers,
      id,
      own: ownerLimits.account,
      sender: `${id} ${source}`,
      isTenant: false,
    }),
  }
}

/**
 * Acquires one of the owner's slots (the owner is a tenant, provider account or source), runs `work`, and then
 * releases the slot. If no slot is free, rejects immediately.
 *
 * A tenant's slot is released only when `ended` resolves, that is, when the client has received the response.
 * Otherwise, a tenant could fill the memory with responses that its clients do not read. A source's slot is not held so
 * long, because a few sources without a credential could then block all others.
 */
export async function inSlot<T>(
  { share, id, own, isTenant }: SlotOwner,
  bytes: number,
  work: () => Promise<T>,
  ended?: Promise<void>,
): Promise<T> {
  share.enter(id, own, bytes)
  const leave = () => share.leave(id, bytes)
  try {
    const turn = share.turn(id)
    if (turn) await turn
    return await work()
  } finally {
    if (isTenant && ended) void ended.then(leave)
    else leave()
  }
}

/**
 * Middleware for requests that need no credential, such as those for pages and images. They count toward the limits
 * for their source (IP address).
 */
export const inSlotOfSource =
  (admit: Admission, sourceOf: (request: IncomingMessage) => string): Koa.Middleware =>
  (ctx, next) =>
    inSlot(admit.ownerOf({ caller: noCredential, source: () => sourceOf(ctx.req) }), 0, next)

const noCredential = fault('credential_missing')

export type SlotPool = ReturnType<typeof slotPool>

function slotPool(from: From) {
  const most = totalLimits[from]
  const requests = fairSlots(most.requests)
  const bytes = fairSlots(most.bytes)
  const turns = eventLoopLimit(MAX_STARTS_PER_TURN)
  const reject = (bound: ExceededLimit, why: 'requests' | 'bytes'): never => {
    httpMetrics.refused.inc({ from, why: bound === 'own' ? 'own' : why })
    throw bound === 'own' ? ownIsFull(from) : isFull()
  }
  /**
   * Counts a request as in flight. Throws RATE_LIMITED if the request's owner is at its limit, and
   * SERVICE_UNAVAILABLE if the service is at capacity.
   */
  function enter(owner: string, own: number, size: number): void {
    const bound = requests.take(owner, own)
    if (bound) reject(bound, 'requests')
    const bytesBound = size > 0 && bytes.take(owner, most.bytes / 2, size)
    if (!bytesBound) return
    requests.release(owner)
    reject(bytesBound, 'bytes')
  }
  function leave(owner: string, size: number): void {
    requests.release(owner)
    if (size > 0) bytes.release(owner, size)
  }
  return {
    enter,
    leave,
    /**
     * Returns a promise that resolves when it is the turn of the owner (such as a tenant) to start a request. Returns
     * undefined if the request may start immediately, because no other owner has requests in flight.
     */
    turn: (owner: string) => (requests.owners() > 1 ? turns.next(owner) : undefined),
    /** Throws an error if the request may not start now. The request does not count as in flight afterward. */
    check(owner: string, own: number, size: number): void {
      enter(owner, own, size)
      leave(owner, size)
    },
    arriving: arrivingBodies({ maxSize: most.arriving, maxPerOwner: most.ofSender }, () =>
      httpMetrics.refused.inc({ from, why: 'body' }),
    ),
  }
}

const whose: Record<From, string> = {
  strangers: 'from your IP address',
  merchants: 'of your tenant',
  providers: 'of this provider account',
}

const ownIsFull = (from: From) =>
  fault('own_requests_in_flight', { whose: whose[from] }, { retryAfterSeconds: RETRY_AFTER_SECONDS })

const isFull = () => fault('server_at_capacity', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS })

/**
 * Rejects requests while the database does not respond. Callbacks may report received money, so they are rejected only
 * after a longer time without a response. A callback with an unusually spelled path, for example percent-encoded, is
 * treated like any other request.
 */
export function rejectWhileDatabaseSilent(
  probe: DatabaseProbe,
  afterMs: { callbacks: number; others: number },
): Koa.Middleware {
  return (ctx, next) => {
    const { path } = ctx
    if (probe.unresponsiveMs() > afterMs.others && !/^\/(healthz|readyz|metrics)\/?$/.test(path)) {
      const isCallback = path.startsWith('/v1/callbacks/')
      if (!isCallback || probe.unresponsiveMs() > afterMs.callbacks) {
        httpMetrics.refused.inc({ from: isCallback ? 'providers' : 'merchants', why: 'database' })
        throw fault('database_slow', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS })
      }
    }
    return next()
  }
}
