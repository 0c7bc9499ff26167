// One call: its credential, its tries, its time-out, the envelope taken off. The namespaces are no more than
// names for calls.

import { ConnectionError, type ErrorFacts, errorOf, GapuraError, UnexpectedAnswerError } from './errors.ts'
import { type Client, createClient } from './generated/client/index.ts'
import type { Failure } from './generated/index.ts'
import { type MayPass, mayPass, mayPassUndone, retryAfterMsOf, within, withRetries } from './retry.ts'

/** What a generated operation is given, and what it answers. */
type Send<Data> = (options: {
  client: Client
  headers: Record<string, string>
  signal: AbortSignal
}) => Promise<Answer<Data>>
type Answer<Data> = {
  data?: { success: true; data: Data } | undefined
  error?: unknown
  request?: Request
  response?: Response
}

export type Call = {
  /** Harmless to repeat: a read, or what the service knows again the second time. timeoutMs: where it takes long. */
  repeatable<Data>(send: Send<Data>, timeoutMs?: number): Promise<Data>
  /** A change that would be made twice: repeated only where it cannot have been made. */
  once<Data>(send: Send<Data>): Promise<Data>
  /** The same without the credential, for those who have none yet. */
  anonymous: Pick<Call, 'repeatable' | 'once'>
}

export type CallSettings = {
  authorization: () => string | Promise<string>
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  fetch: typeof globalThis.fetch | undefined
}

export function makeCall({ authorization, baseUrl, timeoutMs, maxRetries, fetch }: CallSettings): Call {
  const { origin } = new URL(baseUrl)
  const client = createClient({ baseUrl: baseUrl.replace(/\/+$/, ''), ...(fetch && { fetch }) })
  const call =
    (mayPass: MayPass, headersOf: () => Promise<Record<string, string>>) =>
    <Data>(send: Send<Data>, longMs = timeoutMs): Promise<Data> =>
      withRetries(maxRetries, mayPass, async () => {
        // Asked for at each try, and before its clock runs: a token may have run out while we waited.
        const headers = await headersOf()
        return within(longMs, async signal => open(await send({ client, headers, signal }), origin))
      })
  const withCredential = async () => ({ Authorization: await authorization() })
  const without = async () => ({})
  const once = (headersOf: typeof withCredential | typeof without): Call['once'] => {
    const callOnce = call(mayPassUndone, headersOf)
    return async send => {
      try {
        return await callOnce(send)
      } catch (error) {
        // What may pass, but must not be repeated by itself, is what may have been done.
        if (error instanceof GapuraError) error.outcomeUnknown = mayPass(error) && !mayPassUndone(error)
        throw error
      }
    }
  }
  return {
    repeatable: call(mayPass, withCredential),
    once: once(withCredential),
    anonymous: { repeatable: call(mayPass, without), once: once(without) },
  }
}

/** Takes the envelope off. */
function open<Data>({ data, error, request, response }: Answer<Data>, origin: string): Data {
  // Nothing was sent: a mistake in the call, not of the network.
  if (!request) throw error
  if (!response) throw new ConnectionError(origin, error)
  if (data?.success === true && 'data' in data) return data.data
  // The status came, the body did not.
  if (error instanceof Error && !(error instanceof SyntaxError)) throw new ConnectionError(origin, error)
  const facts: ErrorFacts = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMsOf(response.headers.get('retry-after')),
  }
  throw isFailure(error) ? errorOf(error.error, facts) : new UnexpectedAnswerError(origin, facts)
}

function isFailure(body: unknown): body is Failure {
  const { success, error } = (body ?? {}) as Partial<Failure>
  return success === false && typeof error?.code === 'string' && typeof error.message === 'string'
}
