// Retries failed calls. Reads are always safe to repeat, and so is creating or cancelling a payment. Other changes
// are retried if they have an idempotency key, or if the failed attempt cannot have made the change.

import {
  ConnectionError,
  GapuraError,
  ProviderError,
  RateLimitedError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
/**
 * The longest Retry-After for which the SDK waits. If the time is longer, the error is thrown immediately,
 * and the caller decides whether to retry.
 */
const LONGEST_RETRY_AFTER_MS = 60_000
/** The longest delay setTimeout supports. With a longer delay, it fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Returns whether retrying after this error is safe and may succeed. */
export type MayPass = (error: unknown) => boolean

export type Retrying = {
  maxRetries: number
  mayPass: MayPass
  signal: AbortSignal | undefined
  /**
   * Called after each failed attempt. `retryInMs` is the time until the next attempt, or undefined after the
   * last attempt.
   */
  onFailure: (error: unknown, number: number, retryInMs?: number) => void
}

/** Calls `attempt` until it succeeds. Retries after errors accepted by `mayPass`, up to `maxRetries` times. */
export async function withRetries<T>(
  { maxRetries, mayPass, signal, onFailure }: Retrying,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number)
    } catch (error) {
      if (error instanceof GapuraError) error.attempts = number
      const retryAfterMs = (error as GapuraError).retryAfterMs ?? 0
      // This comparison is false if maxRetries is NaN, so NaN causes no retries. The opposite comparison would cause
      // endless retries.
      const again = number <= maxRetries && mayPass(error) && retryAfterMs <= LONGEST_RETRY_AFTER_MS
      const retryInMs = again && !signal?.aborted ? retryAfterMs + backoffMs(number) : undefined
      onFailure(error, number, retryInMs)
      if (retryInMs === undefined) throw error
      await pause(retryInMs, signal)
    }
  }
}

/**
 * Runs `attempt` with a time limit. After `timeoutMs`, rejects with the error from `timeUp`. As soon as `outer` is
 * aborted, rejects with its abort reason. The time limit applies even if `attempt` ignores its signal.
 */
export async function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<T>,
  timeUp = () => new TimeoutError(`no complete response within ${timeoutMs} ms`),
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

/** Waits for `ms` milliseconds. Rejects with the signal's reason as soon as the signal is aborted. */
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

/** Parses the Retry-After header, which is a date or a number of seconds. Some proxies send a fractional number. */
export function retryAfterMsOf(value: string | null): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

export function mayPass(error: unknown): boolean {
  if (!(error instanceof GapuraError)) return false
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  // A 502 is not retried, because a retry does not help: either the provider rejected the request, or the service
  // must first look up the outcome at the provider.
  if (error instanceof ProviderError || error.status === undefined) return false
  // A 409 with Retry-After means that the first request with the same key is still in progress.
  if (error.status === 409) return error.retryAfterMs !== undefined
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/**
 * Returns true if the failed call certainly changed nothing, because the service was not reached or returned 429.
 * Returns false for a 503, because the database connection may have been lost after the commit.
 */
export function mayPassUndone(error: unknown): boolean {
  if (error instanceof RateLimitedError) return true
  return error instanceof ConnectionError && unreached.has(codeOf(error.cause) ?? '')
}

/**
 * Returns whether a failed call may have made its change. This is also true if the service returned a success, but
 * the response could not be read.
 */
export function mayHaveBeenDone(error: GapuraError): boolean {
  if (error instanceof UnexpectedResponseError && `${error.status}`.startsWith('2')) return true
  return mayPass(error) && !mayPassUndone(error)
}

/**
 * The error codes for connections that were never established. Browsers do not report these codes. In a browser,
 * the SDK therefore cannot recognize such a connection, and does not retry the call.
 */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

const codeOf = (error: unknown): string | undefined =>
  (error as { cause?: { code?: string } } | undefined)?.cause?.code

/**
 * Returns a random delay (full jitter), so that callers that failed at the same time do not retry at the same time.
 */
const backoffMs = (number: number): number =>
  Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (number - 1))
