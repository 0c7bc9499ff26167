// Sends requests to API operations for which the SDK has no method.

import type { WithResponse } from './api-promise.ts'
import type { Call, CallOptions } from './call.ts'
import { checkedKey } from './idempotency-key.ts'
import type { Operation, RequestOf } from './operation.ts'
import { type Parts, readData } from './request.ts'

/**
 * The HTTP method for `gapura.request`.
 *
 * @example
 * const method: Method = 'GET'
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Options of `gapura.request`.
 *
 * @example
 * const options: RequestOptions = { query: { mode: 'test' }, headers: { 'X-Trace': 'a1' } }
 */
export type RequestOptions = CallOptions & {
  /** The body, sent as JSON. */
  body?: unknown
  /** Query parameters. A parameter with the value `undefined` or `null` is not sent. */
  query?: Record<string, string | number | boolean | null | undefined> | undefined
  /**
   * The idempotency key, sent as `X-Idempotency-Key`. A request with a key is retried by the SDK, so pass a key
   * only to operations that accept one.
   */
  idempotencyKey?: string | undefined
}

export async function requestOf<Data>(
  call: Call,
  method: Method,
  path: string,
  { body, query, idempotencyKey, ...options }: RequestOptions,
): Promise<WithResponse<Data>> {
  // Rejects paths that could lead to another host or operation. Query parameters must be passed in `query` instead of
  // in the path.
  if (!/^\/[^?#{}\\\s]*$/.test(path) || /\/\.{0,2}(\/|$)/.test(path))
    throw new TypeError(
      `path: must be a path such as /v1/payments, without a query (got ${JSON.stringify(path)})`,
    )
  const headers = idempotencyKey === undefined ? {} : { 'X-Idempotency-Key': checkedKey(idempotencyKey) }
  const ask = method === 'GET' || idempotencyKey !== undefined ? call.repeatable : call.once
  const operation: Operation<Parts, unknown> = { method, path }
  const reading = { accept: 'application/json', read: readData<Data> }
  return ask<Parts, unknown, Data>(
    operation,
    { body, query, headers } as RequestOf<Parts>,
    options,
    reading,
  ).withResponse()
}
