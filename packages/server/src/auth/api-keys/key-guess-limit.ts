// Limits how many API keys an IP address can guess. Each well-formed guess costs a database lookup, so failed
// lookups are counted per IP address. A key that worked before is never limited, so an attacker cannot block a shop
// behind the same proxy.

import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import { queueingLimit } from '../../fairness/queueing-limit.ts'
import { fault } from '../../faults/fault.ts'
import type { Credential } from '../auth.sql.ts'

/**
 * The number of API keys that an IP address may guess per second, after a burst of `MAX_GUESSES`. The number
 * is this high because a client with a revoked key should mostly get 401 (unauthorized), not 429 (rate
 * limited).
 */
const GUESSES_PER_SECOND = 10
const MAX_GUESSES = 50
/**
 * For each IP address, the maximum number of concurrent database lookups of API keys that are new to this
 * process. Further lookups wait. If the IP address reaches its guess limit, waiting lookups are rejected.
 */
const MAX_LOOKUPS = 16
/**
 * Each process remembers at most this many IP addresses, and at most this many API keys that have worked before.
 */
const MAX_CACHED = 10_000

export type FindCredential = (keyHash: Buffer) => Promise<Credential | undefined>
/**
 * Finds a credential by its API key's hash. Throws RATE_LIMITED if the IP address `source` has sent too many
 * unknown keys.
 */
export type LimitedFindCredential = (keyHash: Buffer, source: string) => Promise<Credential | undefined>

export function limitKeyGuesses(find: FindCredential): LimitedFindCredential {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_CACHED })
  const worked = new LRUCache<string, true>({ max: MAX_CACHED })
  const inTurn = queueingLimit(MAX_LOOKUPS)

  function bucketOf(address: string): TokenBucket {
    const bucket = buckets.get(address) ?? fullBucket()
    buckets.set(address, bucket)
    return bucket
  }

  /**
   * Looks up an API key that is new to this process. Only an unknown key counts as a guess, because thousands of
   * lookups of valid keys are normal after a restart.
   */
  async function findNew(keyHash: Buffer, bucket: TokenBucket): Promise<Credential | undefined> {
    rejectIfEmpty(bucket)
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
    bucketSize: MAX_GUESSES,
    tokensPerInterval: GUESSES_PER_SECOND,
    interval: 'second',
  })
  bucket.content = MAX_GUESSES
  return bucket
}

function rejectIfEmpty(bucket: TokenBucket): void {
  bucket.drip()
  if (bucket.content >= 1) return
  throw fault('key_guesses_exceeded', {}, { retryAfterSeconds: Math.ceil(bucket.getWaitTime(1) / 1_000) })
}
