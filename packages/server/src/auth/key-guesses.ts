// Anybody can make up keys that are well formed, and each costs a look into the database. So they are counted by the
// address that they come from. A key that worked is let through whatever else comes from there: who guesses beside a
// shop, or behind the same balancer, does not stop it.

import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import { GatewayError } from '../errors.ts'
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

type Source = { bucket: TokenBucket; looking: number; waiting: (() => void)[] }

export function guardGuesses(find: FindCredential): GuardedFind {
  const sources = new LRUCache<string, Source>({ max: MOST })
  const worked = new LRUCache<string, true>({ max: MOST })

  function sourceOf(address: string): Source {
    const source = sources.get(address) ?? { bucket: fullBucket(), looking: 0, waiting: [] }
    sources.set(address, source)
    return source
  }

  /** Only a miss is paid for: a thousand keys that are used for the first time at once, after a start, are no guesses. */
  async function findNew(keyHash: Buffer, source: Source): Promise<Credential | undefined> {
    if (source.looking >= LOOKS_AT_ONCE) await new Promise<void>(resolve => source.waiting.push(resolve))
    else source.looking += 1
    try {
      refuseBeyond(source.bucket)
      const found = await find(keyHash)
      if (!found) source.bucket.content -= 1
      return found
    } finally {
      const next = source.waiting.shift()
      if (next) next()
      else source.looking -= 1
    }
  }

  return async (keyHash, address) => {
    const key = keyHash.toString('base64')
    const isKnown = worked.get(key) === true
    const found = await (isKnown ? find(keyHash) : findNew(keyHash, sourceOf(address)))
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
