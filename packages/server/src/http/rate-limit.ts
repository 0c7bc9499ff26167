// Each API key, and each user of the dashboard, has a bucket of tokens, filled at its tenant's rate and holding its burst.
// Buckets are of one process: with several the limit is that many times as high.
//
// Every answer to a key or a user says how it stands, as draft-ietf-httpapi-ratelimit-headers-11 has it: the policy by the name of
// the tier, the quota that a full bucket is, and the seconds in which an empty one fills.

import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../api/context.ts'
import { GatewayError } from '../errors.ts'
import type { Limits } from '../limits/limits.ts'

/** calls: as many tokens. Throws RATE_LIMITED where the caller has not that many. */
export type RateLimit = (
  caller: Caller | GatewayError,
  calls: number,
  setHeader: (name: string, value: string) => void,
) => void

export function rateLimit(): RateLimit {
  // A bucket that was not touched for its burst's seconds is full again, so forgetting it gives nothing away.
  const buckets = new LRUCache<string, TokenBucket>({ max: 10_000 })
  function bucketOf(owner: string, limits: Limits): TokenBucket {
    const known = buckets.get(owner)
    if (known && hasLimits(known, limits)) return known
    // A change neither refills a bucket nor empties it.
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
      throw new GatewayError(
        'RATE_LIMITED',
        `this ${nounOf(caller)} may send ${limits.requestsPerSecond} requests a second; slow down`,
        {
          // The bucket may have refilled since: 0 would ask for a retry at once.
          retryAfterSeconds: Math.max(1, Math.ceil(bucket.getWaitTime(calls) / 1_000)),
        },
      )
    }
  }
}

const nounOf = ({ kind }: Caller): string => (kind === 'api_key' ? 'key' : 'user')

const sizeFor = ({ requestsPerSecond, burstSeconds }: Limits): number => requestsPerSecond * burstSeconds

const hasLimits = ({ tokensPerInterval, bucketSize }: TokenBucket, limits: Limits): boolean =>
  tokensPerInterval === limits.requestsPerSecond && bucketSize === sizeFor(limits)

/** fill: from 0, empty, to 1, full. */
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
