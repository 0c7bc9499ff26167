// Who is let in. What this process can hold is bounded, and a request beyond it is told so at once, before its body is
// read: to be refused in a millisecond is better for everybody than to time out together. Health and metrics are asked
// for just then, and are always let in.
//
// What providers tell has places of its own, and waits longer for the database: however many create payments, money that
// arrived is recorded, and a provider that repeats everything at once crowds out no merchant. So has what anybody may ask:
// of all other requests the body is read once it is known whose they are.

import type Koa from 'koa'
import type { Pulse } from '../db/pulse.ts'
import { GatewayError } from '../errors.ts'
import { MAX_BODY_BYTES } from './body.ts'
import { httpMetrics } from './http-metrics.ts'

/** What may be under way at a time; bytes: of the bodies. After databaseSilentMs without an answer nobody joins the wait. */
export type Bounds = { requests: number; bytes: number; databaseSilentMs: number }

/** A create waits for its provider, for ten seconds at the most, and costs little meanwhile: so there is room for many. */
export const bounds = {
  /** Nobody knows them yet, and their bodies are read before anybody does. */
  strangers: { requests: 128, bytes: 16 * 1024 * 1024, databaseSilentMs: 2_000 },
  merchants: { requests: 1_024, bytes: 64 * 1024 * 1024, databaseSilentMs: 2_000 },
  providers: { requests: 512, bytes: 32 * 1024 * 1024, databaseSilentMs: 5_000 },
} satisfies Record<string, Bounds>

const RETRY_AFTER_SECONDS = 1

/** Log-in, refresh, password reset, the dashboard's among them; by tRPC in a batch with others, too. Pictures that payers load. */
const isForAnybody = /^\/(v1\/auth\/|qr\/|trpc\/(.*,)?(auth|session)\.)/

/** Throws SERVICE_UNAVAILABLE. */
export function admission(pulse: Pulse): Koa.Middleware {
  const strangers = share('strangers', pulse)
  const merchants = share('merchants', pulse)
  const providers = share('providers', pulse)
  return async (ctx, next) => {
    const { path } = ctx
    if (/^\/(healthz|readyz|metrics)\/?$/.test(path)) return next()
    const { enter, leave } = path.startsWith('/v1/callbacks/')
      ? providers
      : isForAnybody.test(path)
        ? strangers
        : merchants
    const bytes = bytesOf(ctx.get('content-length'), ctx.get('transfer-encoding'))
    enter(bytes)
    try {
      await next()
    } finally {
      leave(bytes)
    }
  }
}

function share(from: keyof typeof bounds, pulse: Pulse) {
  const most: Bounds = bounds[from]
  let requests = 0
  let bytes = 0
  const refuse = (why: keyof typeof reasons) => {
    httpMetrics.refused.inc({ from, why })
    throw new GatewayError('SERVICE_UNAVAILABLE', `${reasons[why]}; nothing was done, try again`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  return {
    enter(size: number): void {
      if (requests >= most.requests) refuse('requests')
      if (bytes + size > most.bytes) refuse('bytes')
      if (pulse.silentMs() > most.databaseSilentMs) refuse('database')
      requests += 1
      bytes += size
    },
    leave(size: number): void {
      requests -= 1
      bytes -= size
    },
  }
}

const reasons = {
  requests: 'as much is under way as may be',
  bytes: 'as much is under way as may be',
  database: 'the database does not keep up',
}

/** Of the body at most. What is larger is refused, or is an upload, which is read as it comes. */
function bytesOf(contentLength: string, transferEncoding: string): number {
  if (transferEncoding !== '') return MAX_BODY_BYTES
  return Math.min(Number(contentLength) || 0, MAX_BODY_BYTES)
}
