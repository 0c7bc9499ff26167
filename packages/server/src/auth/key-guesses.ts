// Anybody can make up keys that are well formed, and each costs a look into the database. So they are counted by the
// address that they come from. A key that worked is let through whatever else comes from there: who guesses beside a
// shop, or behind the same balancer, does not stop it.

import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import { GatewayError } from '../errors.ts'
import { turnsOfEach } from '../turns.ts'
import type { Credential } from './auth.sql.ts'

/** A deployment whose key was revoked keeps on trying with it; it is told 401, and seldom 429. */
const GUESSES_PER_SECOND = 10
const GUESSES_AT_ONCE = 50
/** Of keys not seen before, from one source: more wait, and are refused meanwhile if these were guesses. */
const LOOKS_AT_ONCE = 16
/** Sources, and keys that worked; of one process, as the rate limit is. */
const MOST = 10_000

export type FindCredential = (keyHash: Buffer) => Promise<Credential | undefined>
/** Throws RATE_LIMITED. */
export type GuardedFind = (keyHash: Buffer, source: string) => Promise<Credential | undefined>

export function guardGuesses(find: FindCredential): GuardedFind {
  const buckets = new LRUCache<string, TokenBucket>({ max: MOST })
  const worked = new LRUCache<string, true>({ max: MOST })
  const inTurn = turnsOfEach(LOOKS_AT_ONCE)

  function bucketOf(address: string): TokenBucket {
    const bucket = buckets.get(address) ?? fullBucket()
    buckets.set(address, bucket)
    return bucket
  }

  /** Only a miss is paid for: a thousand keys that are used for the first time at once, after a start, are no guesses. */
  async function findNew(keyHash: Buffer, bucket: TokenBucket): Promise<Credential | undefined> {
    refuseBeyond(bucket)
    const found = await find(keyHash)
    if (!found) bucket.content -= 1
    return found
  }

  return async (keyHash, address) => {
    const key = keyHash.toString('base64')
    const isKnown = worked.get(key) === true
    const found = await (isKnown ? find(keyHash) : inTurn(address, () => findNew(keyHash, bucketOf(address))))
    if (found) worked.set(key, true)
    else worked.delete(key)
    return found
  }
}

function fullBucket(): TokenBucket {
  const bucket = new TokenBucket({
    bucketSize: GUESSES_AT_ONCE,
    tokensPerInterval: GUESSES_PER_SECOND,
    interval: 'second',
  })
  bucket.content = GUESSES_AT_ONCE
  return bucket
}

function refuseBeyond(bucket: TokenBucket): void {
  bucket.drip()
  if (bucket.content >= 1) return
  throw new GatewayError(
    'RATE_LIMITED',
    'too many API keys that nobody has came from your address; slow down',
    {
      retryAfterSeconds: Math.ceil(bucket.getWaitTime(1) / 1_000),
    },
  )
}
