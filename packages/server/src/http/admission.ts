// Who is let in, in two steps. Before anything is known of a request its credential is checked by the headers, or the
// account that a callback is for is looked up by the path; both are bounded by source (auth/key-guesses.ts, callbacks.ts). Then the request
// counts for its owner: the tenant, the provider account, or the source where there is no credential. Nothing is decided
// by how a path is written.
//
// A request takes a place once its body is there. Until then it is one of those that wait for their body, of which each
// owner may have many: they cost little, and one that is too slow, or one too many, makes room.
//
// Callbacks have places of their own: however many create payments, money that arrived is recorded. So have those without
// a credential. Health and metrics are always let in.

import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { Context } from '../api/context.ts'
import type { Pulse } from '../db/pulse.ts'
import { GatewayError } from '../errors.ts'
import { eventLoopTurns } from '../event-loop-turns.ts'
import { type Bound, fairPlaces } from '../fair-places.ts'
import { arrivingBodies } from './arriving-body.ts'
import { httpMetrics } from './http-metrics.ts'

/**
 * requests: in flight. arriving: waiting for the rest of their body; ofSender: of one of those who send them. A create
 * waits for its provider, for ten seconds at the most, and costs little meanwhile: so there is room for many.
 */
export const bounds = {
  strangers: { requests: 512, bytes: 16 * 1024 * 1024, arriving: 256, ofSender: 64 },
  merchants: { requests: 1_024, bytes: 64 * 1024 * 1024, arriving: 512, ofSender: 128 },
  providers: { requests: 512, bytes: 32 * 1024 * 1024, arriving: 256, ofSender: 64 },
}
type From = keyof typeof bounds

/**
 * In flight at most: of a source without a credential, of a provider account. A tenant's bound is one of its limits. None
 * is more than half of all places, so each of k owners that always ask gets 1/k of it (fair-places.ts).
 */
export const ownBounds = { source: 256, account: 256 }

/** Requests of one owner. Some, since those that begin together share statements. */
const BEGUN_IN_A_TURN = 16

const RETRY_AFTER_SECONDS = 1

/** Whom a request counts for. own: how many of its requests may be in flight. */
export type Owner = { share: Share; id: string; own: number; sender: string }

export type Admission = {
  ownerOf(context: Pick<Context, 'caller' | 'source'>): Owner
  ofAccount(accountId: string, source: string): Owner
}

export function admission(): Admission {
  const strangers = share('strangers')
  const merchants = share('merchants')
  const providers = share('providers')
  return {
    ownerOf({ caller, source }) {
      if (!(caller instanceof GatewayError)) {
        const { tenantId, limits } = caller
        return { share: merchants, id: tenantId, own: limits.requestsInFlight, sender: tenantId }
      }
      const id = source()
      return { share: strangers, id, own: ownBounds.source, sender: id }
    },
    // Whoever sends slowly to somebody else's account has a bound of his own, beside that of its provider.
    ofAccount: (id, source) => ({ share: providers, id, own: ownBounds.account, sender: `${id} ${source}` }),
  }
}

/** Runs `work` in a place of its owner, which is free again when that has settled. Throws where there is none. */
export async function inPlace<T>(
  { share, id, own }: Owner,
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

/** Requests without a credential that need none, such as pages and pictures. */
export const inPlaceOfSource =
  (admit: Admission, sourceOf: (request: IncomingMessage) => string): Koa.Middleware =>
  (ctx, next) =>
    inPlace(admit.ownerOf({ caller: nobody, source: () => sourceOf(ctx.req) }), 0, next)

const nobody = new GatewayError('UNAUTHORIZED', 'there is no credential')

export type Share = ReturnType<typeof share>

function share(from: From) {
  const most = bounds[from]
  const requests = fairPlaces(most.requests)
  const bytes = fairPlaces(most.bytes)
  const turns = eventLoopTurns(BEGUN_IN_A_TURN)
  const refuse = (bound: Bound, why: 'requests' | 'bytes'): never => {
    httpMetrics.refused.inc({ from, why: bound === 'own' ? 'own' : why })
    throw bound === 'own' ? ownIsFull(from) : isFull()
  }
  /** Throws RATE_LIMITED or SERVICE_UNAVAILABLE. */
  function enter(owner: string, own: number, size: number): void {
    const bound = requests.take(owner, own)
    if (bound) refuse(bound, 'requests')
    const bytesBound = size > 0 && bytes.take(owner, most.bytes / 2, size)
    if (!bytesBound) return
    requests.free(owner)
    refuse(bytesBound, 'bytes')
  }
  function leave(owner: string, size: number): void {
    requests.free(owner)
    if (size > 0) bytes.free(owner, size)
  }
  return {
    enter,
    leave,
    /** An owner alone has the process to itself. */
    turn: (owner: string) => (requests.owners() > 1 ? turns.next(owner) : undefined),
    /** Throws as enter does. */
    check(owner: string, own: number, size: number): void {
      enter(owner, own, size)
      leave(owner, size)
    },
    arriving: arrivingBodies({ most: most.arriving, own: most.ofSender }, () =>
      httpMetrics.refused.inc({ from, why: 'body' }),
    ),
  }
}

const whose: Record<From, string> = {
  strangers: 'your address',
  merchants: 'your account',
  providers: 'this provider account',
}

const ownIsFull = (from: From) =>
  new GatewayError(
    'RATE_LIMITED',
    `too many requests of ${whose[from]} are in flight; nothing was done, try again once one of them is answered`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )

const isFull = () =>
  new GatewayError('SERVICE_UNAVAILABLE', 'the server is at capacity; nothing was done, try again', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/**
 * While the database does not answer nothing is let in that may need it. What providers report waits longer: here it is
 * the path as it was written that counts, since another form of it only waits less.
 */
export function whileDatabaseAnswers(pulse: Pulse): Koa.Middleware {
  return (ctx, next) => {
    const { path } = ctx
    if (pulse.silentMs() > SILENT_MS.others && !/^\/(healthz|readyz|metrics)\/?$/.test(path)) {
      const isCallback = path.startsWith('/v1/callbacks/')
      if (!isCallback || pulse.silentMs() > SILENT_MS.callbacks) {
        httpMetrics.refused.inc({ from: isCallback ? 'providers' : 'merchants', why: 'database' })
        throw new GatewayError(
          'SERVICE_UNAVAILABLE',
          'the database does not keep up; nothing was done, try again',
          {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          },
        )
      }
    }
    return next()
  }
}

const SILENT_MS = { others: 2_000, callbacks: 5_000 }
