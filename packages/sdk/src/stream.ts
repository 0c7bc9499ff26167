// Reads a response as a stream. A stream is not retried after its first byte.

import type { ApiPromise } from './api-promise.ts'
import type { Call, CallOptions } from './call.ts'
import { ConnectionError } from './errors.ts'
import type { Operation, RequestOf } from './operation.ts'
import { requestIdOf } from './request.ts'

export type Stream = {
  stream: ReadableStream<Uint8Array>
  requestId: string | undefined
  origin: string
  signal: AbortSignal | undefined
}

/**
 * Returns the response as a stream. The request is not retried once its response has started, because another response
 * would repeat the data already received.
 */
export const openStream = <Request, Responses>(
  call: Call,
  operation: Operation<Request, Responses>,
  request: RequestOf<Request>,
  options: CallOptions | undefined,
  accept: string,
): ApiPromise<Stream> =>
  call.repeatable<Request, Responses, Stream>(operation, request, options, {
    accept,
    read: async (response, origin) => {
      const { body: stream } = response
      return stream
        ? { stream, requestId: requestIdOf(response), origin, signal: options?.signal }
        : undefined
    },
  })

/** Keeps a byte order mark, because Excel reads a CSV file as UTF-8 only if the file begins with one. */
const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns the whole response as text, with its byte order mark. */
export const textOf = async (response: Response): Promise<string> =>
  newDecoder().decode(await response.arrayBuffer())

export async function* texts({ stream, origin, signal }: Stream): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader()
  const decoder = newDecoder()
  // After the stream has started, the timeout no longer applies, but an abort still ends the stream.
  const onAbort = () => reader.cancel(signal?.reason).catch(() => {})
  signal?.addEventListener('abort', onAbort)
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new ConnectionError(origin, error)
      })
      signal?.throwIfAborted()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    // If the caller stops reading early, cancelling the stream releases the connection.
    await reader.cancel().catch(() => {})
  }
}
