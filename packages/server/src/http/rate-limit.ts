// Each API key, and each user of the dashboard, has a bucket of tokens, filled at the tier's rate and holding twice a
// second's worth. Buckets are of one process: with several the limit is that many times as high.
//
// Every answer to a key or a user says how it stands, as draft-ietf-httpapi-ratelimit-headers-11 has it: the policy by the name of
// the tier, the quota that a full bucket is, and the seconds in which an empty one fills.

import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../api/context.ts'
import { GatewayError } from '../errors.ts'
import { requestsPerSecond, type Tier } from '../tenants/tenant.ts'

const BURST_SECONDS = 2

/** calls: as many tokens. Throws RATE_LIMITED where the caller has not that many. */
export type RateLimit = (
  caller: Caller | GatewayError,
  calls: number,
  setHeader: (name: string, value: string) => void,
) => void

export function rateLimit(): RateLimit {
  // A bucket that was not touched for two seconds is full again, so forgetting it gives nothing away.
  const buckets = new LRUCache<string, TokenBucket>({ max: 10_000 })
  function newBucket(owner: string, rate: number): TokenBucket {
    const bucket = fullBucket(rate)
    buckets.set(owner, bucket)
    return bucket
  }

  return (caller, calls, setHeader) => {
    if (caller instanceof GatewayError) return
    const owner = caller.kind === 'api_key' ? caller.keyId : caller.userId
    const rate = requestsPerSecond[caller.tier]
    const known = buckets.get(owner)
    // Its tenant's tier may have changed.
    const bucket = known?.tokensPerInterval === rate ? known : newBucket(owner, rate)
    const isWithin = bucket.tryRemoveTokens(calls)
    setHeader('RateLimit-Policy', policies[caller.tier])
    setHeader('RateLimit', `"${caller.tier}";r=${Math.floor(bucket.content)};t=${secondsToFull(bucket)}`)
    if (!isWithin) {
      throw new GatewayError(
        'RATE_LIMITED',
        `this ${nounOf(caller)} may send ${rate} requests a second; slow down`,
        {
          // The bucket may have refilled since: 0 would ask for a retry at once.
          retryAfterSeconds: Math.max(1, Math.ceil(bucket.getWaitTime(calls) / 1_000)),
        },
      )
    }
  }
}

const nounOf = ({ kind }: Caller): string => (kind === 'api_key' ? 'key' : 'user')

const policyOf = (tier: Tier): string =>
  `"${tier}";q=${BURST_SECONDS * requestsPerSecond[tier]};w=${BURST_SECONDS}`
const policies: Record<Tier, string> = {
  starter: policyOf('starter'),
  growth: policyOf('growth'),
  enterprise: policyOf('enterprise'),
}

function fullBucket(rate: number): TokenBucket {
  const bucket = new TokenBucket({
    bucketSize: BURST_SECONDS * rate,
    tokensPerInterval: rate,
    interval: 'second',
  })
  bucket.content = bucket.bucketSize
  return bucket
}

const secondsToFull = ({ bucketSize, content, tokensPerInterval }: TokenBucket): number =>
  Math.ceil((bucketSize - content) / tokensPerInterval)
