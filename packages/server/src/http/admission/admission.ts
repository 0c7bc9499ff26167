// Admits requests in two steps. First, before reading the body, the service checks the credential or, for a
// callback, looks up the provider account in the path. These checks are limited per source IP address
// (auth/api-keys/key-guess-limit.ts, callbacks.ts). Second, the request counts toward its owner's limit on
// concurrent requests. The owner is the tenant, the provider account, or the IP address of a request without a
// credential.
//
// While its body is arriving, a request counts only toward the limit on arriving bodies. Afterward, it occupies a
// slot for concurrent requests. A request is ended if its body arrives too slowly or if too many bodies are
// arriving.
//
// Callbacks have their own slots, so that payments are always recorded. Requests without a credential ("strangers")
// also have their own. Health checks and metrics requests are always admitted.

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
 * The combined limits for all requests of one kind: those without a credential (`strangers`), those from tenants
 * (`merchants`), and callbacks (`providers`). There are limits on the `requests` in flight, the total `bytes` in
 * their bodies, and the bodies still `arriving`. `ofSender` limits the bodies arriving from one sender.
 *
 * The request limits are high, because creating a payment can wait ten seconds for the provider but uses few
 * resources while waiting.
 */
export const totalLimits = {
  strangers: { requests: 512, bytes: 16 * 1024 * 1024, arriving: 256, ofSender: 64 },
  merchants: { requests: 1_024, bytes: 64 * 1024 * 1024, arriving: 512, ofSender: 128 },
  providers: { requests: 512, bytes: 32 * 1024 * 1024, arriving: 256, ofSender: 64 },
}
type From = keyof typeof totalLimits

/**
 * The maximum number of requests in flight for each IP address without a credential (`source`) and for each
 * provider account. The operator sets each tenant's maximum. A maximum is at most half of all slots, so that one
 * owner cannot use them all up (fair-slots.ts).
 */
export const ownerLimits = { source: 256, account: 256 }

/**
 * The maximum number of one owner's requests that start in one turn of the event loop. It is greater than one,
 * because requests that start together share database statements.
 */
const MAX_STARTS_PER_TURN = 16

const RETRY_AFTER_SECONDS = 1

/**
 * A request's owner: the tenant, provider account or source (IP address) that the request counts toward. `own` is
 * the owner's limit on requests in flight.
 */
export type SlotOwner = { share: SlotPool; id: string; own: number; sender: string }

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
        return { share: merchants, id: tenantId, own: limits.requestsInFlight, sender: tenantId }
      }
      const id = source()
      return { share: strangers, id, own: ownerLimits.source, sender: id }
    },
    // Arriving bodies are counted per provider account and sender, so a single sender of slow callbacks cannot use
    // up the account's limit.
    ofAccount: (id, source) => ({
      share: providers,
      id,
      own: ownerLimits.account,
      sender: `${id} ${source}`,
    }),
  }
}

/**
 * Takes one of the owner's slots (a tenant's, provider account's or source's), runs `work`, and then releases the
 * slot. Rejects immediately if no slot is free.
 */
export async function inSlot<T>(
  { share, id, own }: SlotOwner,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  share.enter(id, own, bytes)
  try {
    const turn = share.turn(id)
    if (turn) await turn
    return await work()
  } finally {
    share.leave(id, bytes)
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
     * Waits until the owner's next request may start. Returns undefined if no other owner has requests in flight,
     * because the request may then start immediately.
     */
    turn: (owner: string) => (requests.owners() > 1 ? turns.next(owner) : undefined),
    /** Throws the same errors as `enter` if the request may not start now, but does not count the request. */
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
 * Rejects requests while the database does not respond. Providers' callbacks are rejected only after a longer time,
 * because they may report received money. A callback whose path is spelled unusually, for example percent-encoded,
 * is treated like any other request.
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
