// Repeats what may succeed the second time. The payment flow can always be repeated: reads change nothing, a
// create carries its idempotency key, and a cancel looks up what a lost answer said. A change by management is
// repeated only where the first try cannot have made it.

import {
  ConnectionError,
  GapuraError,
  ProviderError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
/** Asked to wait longer than this, the caller is told at once and decides. */
const LONGEST_RETRY_AFTER_MS = 60_000

/** Whether the call may succeed when it is repeated, and repeating it is harmless. */
export type MayPass = (error: unknown) => boolean

/** attempt again after a failure that may pass, at most maxRetries times. */
export async function withRetries<T>(
  maxRetries: number,
  mayPass: MayPass,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (error) {
      const retryAfterMs = (error as GapuraError).retryAfterMs ?? 0
      if (retry >= maxRetries || !mayPass(error) || retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error
      await pause(retryAfterMs + backoffMs(retry))
    }
  }
}

/** Gives up when timeoutMs are over, even where a `fetch` ignores the signal. */
export async function within<T>(timeoutMs: number, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeoutError(timeoutMs)
      reject(error)
      controller.abort(error)
    }, timeoutMs)
  })
  try {
    return await Promise.race([attempt(controller.signal), timeUp])
  } finally {
    clearTimeout(timer)
  }
}

/** Retry-After, in seconds or as a date. */
export function retryAfterMsOf(value: string | null): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

export function mayPass(error: unknown): boolean {
  if (!(error instanceof GapuraError)) return false
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  // The provider's refusal is final, and the service itself follows up an unknown outcome.
  if (error instanceof ProviderError || error.status === undefined) return false
  // A conflict passes only where it means that the first request with the key is still running.
  if (error.status === 409) return error.retryAfterMs !== undefined
  return error.status === 429 || error.status >= 500
}

/** For what must not happen twice: nobody was reached, or the service itself said that it did nothing. */
export function mayPassUndone(error: unknown): boolean {
  if (error instanceof RateLimitedError || error instanceof ServiceUnavailableError) return true
  return error instanceof ConnectionError && unreached.has(codeOf(error.cause) ?? '')
}

/** Of connections that never were. A browser does not tell, and then nothing is repeated. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

const codeOf = (error: unknown): string | undefined =>
  (error as { cause?: { code?: string } } | undefined)?.cause?.code

/** Full jitter: callers that failed together do not come back together. */
const backoffMs = (retry: number): number =>
  Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retry)

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
