// Limits the requests from each API key and each dashboard user with a token bucket. Each process has its own
// buckets, so the effective limit grows with the number of processes.
//
// Responses report the rate limit as defined in draft-ietf-httpapi-ratelimit-headers-11:
// - policy name: the tenant's tier
// - quota: the size of a full token bucket
// - window: the number of seconds that it takes to fill a bucket

import { TokenBucket } from 'limiter'
import type { Caller } from '../../api/context.ts'
import { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import type { Limits } from '../../limits/limits.ts'
import { boundedCache } from '../../values/bounded-cache.ts'

/**
 * Takes one token from the caller's bucket for each of the `calls`. If the bucket contains too few tokens, throws
 * RATE_LIMITED.
 */
export type RateLimit = (
  caller: Caller | GatewayError,
  calls: number,
  setHeader: (name: string, value: string) => void,
) => void

export function rateLimit(): RateLimit {
  // A token bucket that has not been used for burstSeconds is full. It can therefore be evicted without any
  // effect, because a new bucket is also full.
  const buckets = boundedCache<TokenBucket>(10_000)
  function bucketOf(owner: string, limits: Limits): TokenBucket {
    const known = buckets.get(owner)
    if (known && hasLimits(known, limits)) return known
    // If the limits of a caller change, the caller's new token bucket is as full, in percent, as its previous bucket.
    const bucket = newBucket(limits, known ? fillOf(known) : 1)
    buckets.set(owner, bucket)
    return bucket
  }

  return (caller, calls, setHeader) => {
    if (caller instanceof GatewayError) return
    const owner = caller.kind === 'api_key' ? caller.keyId : caller.userId
    const { tier, limits } = caller
    const bucket = bucketOf(owner, limits)
    const isWithin = bucket.tryRemoveTokens(calls)
    setHeader('RateLimit-Policy', `"${tier}";q=${bucket.bucketSize};w=${limits.burstSeconds}`)
    setHeader('RateLimit', `"${tier}";r=${Math.floor(bucket.content)};t=${secondsToFull(bucket)}`)
    if (!isWithin) {
      throw fault(
        'rate_exceeded',
        { credential: nounOf(caller), perSecond: limits.requestsPerSecond },
        {
          // The client is asked to wait at least 1 second, because a client that receives 0 might retry
          // immediately.
          retryAfterSeconds: Math.max(1, Math.ceil(bucket.getWaitTime(calls) / 1_000)),
        },
      )
    }
  }
}

const nounOf = ({ kind }: Caller) => (kind === 'api_key' ? 'key' : 'user')

const sizeFor = ({ requestsPerSecond, burstSeconds }: Limits): number => requestsPerSecond * burstSeconds

const hasLimits = ({ tokensPerInterval, bucketSize }: TokenBucket, limits: Limits): boolean =>
  tokensPerInterval === limits.requestsPerSecond && bucketSize === sizeFor(limits)

/** Returns a token bucket with the given rate limits. `fill` is its fill level, from 0 (empty) to 1 (full). */
function newBucket(limits: Limits, fill: number): TokenBucket {
  const bucket = new TokenBucket({
    bucketSize: sizeFor(limits),
    tokensPerInterval: limits.requestsPerSecond,
    interval: 'second',
  })
  bucket.content = fill * bucket.bucketSize
  return bucket
}

function fillOf(bucket: TokenBucket): number {
  bucket.drip()
  return bucket.content / bucket.bucketSize
}

const secondsToFull = ({ bucketSize, content, tokensPerInterval }: TokenBucket): number =>
  Math.ceil((bucketSize - content) / tokensPerInterval)
