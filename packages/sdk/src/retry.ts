// Repeats what may succeed the second time. The payment flow can always be repeated: reads change nothing, a
// create carries its idempotency key, and a cancel looks up what a lost answer said. A change by management is
// repeated only where the first try cannot have made it.

import {
  ConnectionError,
  GapuraError,
  ProviderError,
  RateLimitedError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
/** Asked to wait longer than this, the caller is told at once and decides. */
const LONGEST_RETRY_AFTER_MS = 60_000
/** A timer set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Whether the call may succeed when it is repeated, and repeating it is harmless. */
export type MayPass = (error: unknown) => boolean

export type Retrying = {
  maxRetries: number
  mayPass: MayPass
  signal: AbortSignal | undefined
  /** Told of each try that failed; without retryInMs it was the last. */
  onFailure: (error: unknown, number: number, retryInMs?: number) => void
}

/** attempt again after a failure that may pass, at most maxRetries times. */
export async function withRetries<T>(
  { maxRetries, mayPass, signal, onFailure }: Retrying,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number)
    } catch (error) {
      if (error instanceof GapuraError) error.tries = number
      const retryAfterMs = (error as GapuraError).retryAfterMs ?? 0
      // Asked this way round, a maxRetries that is no number is none, and not for ever.
      const again = number <= maxRetries && mayPass(error) && retryAfterMs <= LONGEST_RETRY_AFTER_MS
      const retryInMs = again && !signal?.aborted ? retryAfterMs + backoffMs(number) : undefined
      onFailure(error, number, retryInMs)
      if (retryInMs === undefined) throw error
      await pause(retryInMs, signal)
    }
  }
}

/**
 * Gives up with what timeUp makes when timeoutMs are over, or with the reason of outer when that is aborted, even
 * where attempt ignores the signal that it is given.
 */
export async function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<T>,
  timeUp = () => new TimeoutError(`no complete answer within ${timeoutMs} ms`),
): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  let stop = () => {}
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown) => {
      reject(reason)
      controller.abort(reason)
    }
    const onAbort = () => end(outer?.reason)
    const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(() => end(timeUp()), timeoutMs)
    outer?.addEventListener('abort', onAbort)
    stop = () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onAbort)
    }
  })
  try {
    return await Promise.race([attempt(controller.signal), ended])
  } finally {
    stop()
  }
}

/** Rejects with the reason of signal as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const onTime = () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    const timer = setTimeout(onTime, Math.min(ms, LONGEST_TIMER_MS))
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Retry-After, in seconds, of which some proxies send fractions, or as a date. */
export function retryAfterMsOf(value: string | null): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

export function mayPass(error: unknown): boolean {
  if (!(error instanceof GapuraError)) return false
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  // The provider's refusal is final, and the service itself follows up an unknown outcome.
  if (error instanceof ProviderError || error.status === undefined) return false
  // A conflict passes only where it means that the first request with the key is still running.
  if (error.status === 409) return error.retryAfterMs !== undefined
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/**
 * For what must not happen twice: nobody was reached, or the service itself said that it did nothing. A 503 does not
 * say so: the database may have been lost after it had committed.
 */
export function mayPassUndone(error: unknown): boolean {
  if (error instanceof RateLimitedError) return true
  return error instanceof ConnectionError && unreached.has(codeOf(error.cause) ?? '')
}

/** Of a change that must not happen twice: what may pass has to be looked at, and so has a success nobody can read. */
export function mayHaveBeenDone(error: GapuraError): boolean {
  if (error instanceof UnexpectedAnswerError && `${error.status}`.startsWith('2')) return true
  return mayPass(error) && !mayPassUndone(error)
}

/** Of connections that never were. A browser does not tell, and then nothing is repeated. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

const codeOf = (error: unknown): string | undefined =>
  (error as { cause?: { code?: string } } | undefined)?.cause?.code

/** Full jitter: callers that failed together do not come back together. */
const backoffMs = (number: number): number =>
  Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (number - 1))
