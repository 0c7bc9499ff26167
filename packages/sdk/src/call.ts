// Makes one API call, including its credential, attempts, timeout and logging. The client's methods, such as
// `payments.get`, are built from these calls.

import { ApiPromise, PagePromise, type WithResponse } from './api-promise.ts'
import { GapuraError } from './errors.ts'
import { listPayments } from './generated/operations.gen.ts'
import { newKey } from './idempotency-key.ts'
import { type Logger, logFailure, logResponse } from './logger.ts'
import type { DataOf, Operation, RequestOf } from './operation.ts'
import { type FindPayments, withPaymentId } from './payment-id.ts'
import {
  type Fetch,
  type Parts,
  pathOf,
  type Reading,
  readData,
  requestIdOf,
  send,
  written,
} from './request.ts'
import { mayHaveBeenDone, mayPass, mayPassUndone, within, withRetries } from './retry.ts'

/**
 * Options for one call, which override the client's settings. Every call accepts them as its last parameter.
 *
 * @example
 * const options: CallOptions = { timeoutMs: 5_000, maxRetries: 0, signal: AbortSignal.timeout(8_000) }
 */
export type CallOptions = {
  /** The timeout of each attempt in milliseconds, including the response body. `Infinity` means no timeout. */
  timeoutMs?: number | undefined
  /** The maximum number of retries after the first attempt. */
  maxRetries?: number | undefined
  /** When the signal is aborted, the call ends immediately with the signal's reason and is not retried. */
  signal?: AbortSignal | undefined
  /** Headers to send in addition to the client's `headers`. They cannot replace a header set by the SDK. */
  headers?: Record<string, string | undefined> | undefined
}

/**
 * Makes an API call. A response is usually JSON with the envelope `{ success, data }`. If it is not, the
 * parameter `reading` must define how to read it.
 */
export type Ask = <Request, Responses, Data = DataOf<Responses>>(
  operation: Operation<Request, Responses>,
  request: RequestOf<Request>,
  options: CallOptions | undefined,
  reading?: Reading<Data>,
) => ApiPromise<Data>

export type Call = {
  /** Makes a call that is safe to repeat: either a read, or a change that the service recognizes if it is repeated. */
  repeatable: Ask
  /**
   * Makes a change that must happen only once. If the operation accepts an idempotency key, all attempts use
   * the same generated key. Otherwise, a failed attempt is retried only if it certainly did not make the
   * change.
   */
  once: Ask
  /** Makes calls that need no credential, such as a login. They are sent without the client's credential. */
  anonymous: Pick<Call, 'repeatable' | 'once'>
}

export type CallSettings = {
  authorization: () => string | Promise<string>
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  headers: Record<string, string | undefined>
  fetch: Fetch | undefined
  logger: Logger | undefined
}

export function makeCall(settings: CallSettings): Call {
  const { authorization } = settings
  const withCredential = async () => ({ authorization: await authorization() })
  const without = async () => ({})
  return {
    repeatable: askOf(settings, 'repeatable', withCredential),
    once: askOf(settings, 'once', withCredential),
    anonymous: {
      repeatable: askOf(settings, 'repeatable', without),
      once: askOf(settings, 'once', without),
    },
  }
}

type Kind = 'repeatable' | 'once'
type Credential = () => Promise<Record<string, string>>

function askOf(settings: CallSettings, kind: Kind, credential: Credential): Ask {
  return (operation, request, options = {}, reading = { accept: 'application/json', read: readData }) => {
    const find = (q: string) =>
      askOf(settings, 'repeatable', credential)(
        listPayments,
        { query: { q, mode: 'all', limit: 10 } },
        options,
      )
    const asked = { operation, parts: request as Parts, options, reading, find }
    return new ApiPromise(inTries(settings, kind, credential, asked))
  }
}

type Asked<Data> = {
  operation: Operation<unknown, unknown>
  parts: Parts
  options: CallOptions
  reading: Reading<Data>
  find: FindPayments
}

async function inTries<Data>(
  settings: CallSettings,
  kind: Kind,
  credential: Credential,
  { operation, parts: given, options, reading, find }: Asked<Data>,
): Promise<WithResponse<Data>> {
  const { timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries, signal } = options
  const { method } = operation
  // The request is serialized before the first `await`, so that it does not change if the caller modifies its
  // arguments later.
  const parts = await withPaymentId(written(operation, given), find)
  const path = pathOf(operation, parts)
  const key = kind === 'once' && operation.acceptsKey ? newKey() : undefined
  const keyHeader = key === undefined ? {} : { 'X-Idempotency-Key': key }
  const mayRepeat = kind === 'once' && key === undefined ? mayPassUndone : mayPass
  let begunAt = 0
  const tried = (number: number) => ({ method, path, attempt: number, durationMs: Date.now() - begunAt })
  const onFailure = (error: unknown, number: number, retryInMs?: number) => {
    if (error instanceof GapuraError) error.outcomeUnknown = kind === 'once' && mayHaveBeenDone(error)
    logFailure(settings.logger, tried(number), error, retryInMs)
  }
  return withRetries({ maxRetries, mayPass: mayRepeat, signal, onFailure }, async number => {
    begunAt = Date.now()
    // Each attempt reads the credential again, because an access token may expire before a retry. Reading it does not
    // count toward the attempt's timeout.
    const headers = {
      ...settings.headers,
      ...options.headers,
      ...keyHeader,
      ...parts.headers,
      ...(await within(Number.POSITIVE_INFINITY, signal, credential)),
    }
    const { response, data } = await within(timeoutMs, signal, until =>
      send(settings, { ...operation, path }, { ...parts, headers }, reading, until),
    )
    const requestId = requestIdOf(response)
    logResponse(settings.logger, tried(number), { status: response.status, requestId })
    return { data, response, requestId }
  })
}

type PageOf<Responses> = Extract<DataOf<Responses>, { items: unknown[]; next_cursor: string | null }>

/** Returns a list. Each later page is requested with the original request and the previous page's cursor. */
export function pagesOf<Request, Responses>(
  call: Call,
  operation: Operation<Request, Responses>,
  request: RequestOf<Request>,
  options: CallOptions | undefined,
): PagePromise<PageOf<Responses>['items'][number]> {
  const first = call.repeatable<Request, Responses, PageOf<Responses>>(operation, request, options)
  // The query is copied so that later changes by the caller do not affect the following pages. The item count is
  // requested only with the first page, because it is the same for every page.
  const query = { ...(request as Parts).query, count: undefined }
  return new PagePromise(first.withResponse(), cursor =>
    pagesOf(call, operation, { ...request, query: { ...query, cursor } }, options),
  )
}
