// Each API key has a bucket of tokens, filled at its tier's rate and holding twice a second's worth. Buckets
// are of one process: with several the limit is that many times as high.

import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../api/context.ts'
import { GatewayError } from '../errors.ts'
import { requestsPerSecond } from '../tenants/tenant.ts'

export type RateLimit = (caller: Caller | GatewayError) => void

/** Throws RATE_LIMITED where a key has used up its tokens. Users of the dashboard are not limited here. */
export function rateLimit(): RateLimit {
  // A bucket that was not touched for two seconds is full again, so forgetting it gives nothing away.
  const buckets = new LRUCache<string, TokenBucket>({ max: 10_000 })
  return caller => {
    if (caller instanceof GatewayError || caller.kind !== 'api_key') return
    const rate = requestsPerSecond[caller.tier]
    const bucket = buckets.get(caller.keyId) ?? fullBucket(rate)
    buckets.set(caller.keyId, bucket)
    if (!bucket.tryRemoveTokens(1)) {
      throw new GatewayError('RATE_LIMITED', `this key may send ${rate} requests a second; slow down`, {
        retryAfterSeconds: 1,
      })
    }
  }
}

function fullBucket(rate: number): TokenBucket {
  const bucket = new TokenBucket({ bucketSize: 2 * rate, tokensPerInterval: rate, interval: 'second' })
  bucket.content = bucket.bucketSize
  return bucket
}
