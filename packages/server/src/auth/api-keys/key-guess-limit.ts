// Limits how many API keys an IP address can guess, because each well-formed guess costs a database lookup. A key that
// worked before is never limited, so an attacker cannot block a shop behind the same proxy.

import { TokenBucket } from 'limiter'
import { queueingLimit } from '../../fairness/queueing-limit.ts'
import { fault } from '../../faults/fault.ts'
import { boundedCache } from '../../values/bounded-cache.ts'
import type { Credential } from '../auth.sql.ts'

/**
 * How many unknown API keys an IP address may send per second, after an initial burst of `MAX_GUESSES`. The
 * limit is high so that a client with a revoked key usually gets 401 (unauthorized) instead of 429 (rate
 * limited).
 */
const GUESSES_PER_SECOND = 10
const MAX_GUESSES = 50
/**
 * The maximum number of concurrent database lookups per IP address, for API keys that this process has not
 * seen before. Further lookups wait. They are rejected if the IP address has sent too many unknown keys
 * (guesses).
 */
const MAX_LOOKUPS = 16
/**
 * The maximum number of IP addresses that each process remembers. The same maximum applies to the API keys that have
 * worked before.
 */
const MAX_CACHED = 10_000

export type FindCredential = (keyHash: Buffer) => Promise<Credential | undefined>
/**
 * Finds a credential by its API key's hash. Throws RATE_LIMITED if the IP address `source` has sent too many
 * unknown keys.
 */
export type LimitedFindCredential = (keyHash: Buffer, source: string) => Promise<Credential | undefined>

export function limitKeyGuesses(find: FindCredential): LimitedFindCredential {
  const buckets = boundedCache<TokenBucket>(MAX_CACHED)
  const worked = boundedCache<true>(MAX_CACHED)
  const inTurn = queueingLimit(MAX_LOOKUPS)

  function bucketOf(address: string): TokenBucket {
    const bucket = buckets.get(address) ?? fullBucket()
    buckets.set(address, bucket)
    return bucket
  }

  /**
   * Looks up an API key that is new to this process. Only an unknown key counts toward the IP address's limit for
   * guesses, because thousands of lookups of valid keys are normal after a restart.
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
