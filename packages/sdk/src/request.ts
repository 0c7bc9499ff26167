// One request and its answer: the operation made a URL, the envelope taken off, what went wrong made an error.

import { ConnectionError, type ErrorFacts, errorOf, UnexpectedAnswerError } from './errors.ts'
import type { Failure } from './generated/types.gen.ts'
import type { Operation } from './operation.ts'
import { retryAfterMsOf } from './retry.ts'

/** The parts of a request; each operation has some of them. */
export type Parts = {
  path?: Record<string, string> | undefined
  query?: Record<string, unknown> | undefined
  headers?: Record<string, string | undefined> | undefined
  /** A function makes it anew for each try. */
  body?: unknown
}

/** What is asked for, and how it is read. Undefined: it is no answer of the service. */
export type Reading<Data> = {
  accept: string
  read: (response: Response, origin: string) => Promise<Data | undefined>
}

/**
 * How requests are sent: as the global `fetch` does, of which no more than this is used.
 *
 * @example
 * const traced: Fetch = (url, init) => fetch(url, { ...init, keepalive: true })
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type Service = { baseUrl: string; fetch: Fetch | undefined }

/** operation: with its path filled in. */
export async function send<Data>(
  { baseUrl, fetch }: Service,
  operation: Operation<unknown, unknown>,
  parts: Parts,
  { accept, read }: Reading<Data>,
  signal: AbortSignal,
): Promise<{ response: Response; data: Data }> {
  const url = baseUrl + operation.path + queryOf(parts)
  // Made before anything is sent: a header or body that cannot be is a mistake in the call, not of the network.
  const init: RequestInit = {
    method: operation.method,
    signal,
    // The service never sends elsewhere. Followed, a create becomes a GET by a 301, and the order, with some
    // fetches the key, too, reaches whatever host the answer names.
    redirect: 'manual',
    headers: headersOf(operation, parts, accept),
    ...bodyOf(parts),
  }
  const { origin } = new URL(url)
  // The global fetch is looked up at each call, since tests and tracing replace it; and called as no method of
  // anything, which browsers and workers refuse.
  const response = await arrived(origin, () => (fetch ?? globalThis.fetch)(url, init))
  const data = response.ok ? await arrived(origin, () => read(response, origin)) : undefined
  if (data !== undefined) return { response, data }
  const body = response.ok ? undefined : await arrived(origin, () => jsonOf(response))
  const facts: ErrorFacts = {
    status: response.status,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterMsOf(response.headers.get('retry-after')),
  }
  throw isFailure(body) ? errorOf(body.error, facts) : new UnexpectedAnswerError(origin, facts)
}

/** What nearly every answer is: JSON, its data in an envelope. */
export async function readData<Data>(response: Response): Promise<Data | undefined> {
  const body = (await jsonOf(response)) as { success?: unknown; data?: Data } | null | undefined
  return body?.success === true ? body.data : undefined
}

export const requestIdOf = (response: Response): string | undefined =>
  response.headers.get('x-request-id') ?? undefined

/** Undefined: it is no JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function arrived<T>(origin: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new ConnectionError(origin, error)
  }
}

/** Written down when the call is made: what the caller changes afterwards was not ordered, whichever try sends it. */
export function written({ contentType }: Operation<unknown, unknown>, parts: Parts): Parts {
  const query = { ...parts.query }
  if (contentType !== undefined || parts.body === undefined) return { ...parts, query }
  return { ...parts, query, body: JSON.stringify(parts.body) }
}

/** An id that is empty or made of dots would lead to another operation than the one that is called. */
export function pathOf({ path }: Operation<unknown, unknown>, { path: values = {} }: Parts): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name}: ${JSON.stringify(value)} cannot be one`)
    return encodeURIComponent(value)
  })
}

function queryOf({ query = {} }: Parts): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function headersOf(
  { contentType = 'application/json' }: Operation<unknown, unknown>,
  { headers, body }: Parts,
  accept: string,
) {
  const made = new Headers({ accept })
  if (body !== undefined) made.set('content-type', contentType)
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) made.set(name, value)
  return made
}

function bodyOf({ body }: Parts): RequestInit & { duplex?: 'half' } {
  if (body === undefined) return {}
  // A stream is sent only by who says that it does not read the answer meanwhile.
  const made: BodyInit = typeof body === 'function' ? body() : body
  return { body: made, ...(made instanceof ReadableStream && { duplex: 'half' }) }
}

function isFailure(body: unknown): body is Failure {
  const { success, error } = (body ?? {}) as Partial<Failure>
  return success === false && typeof error?.code === 'string' && typeof error.message === 'string'
}
