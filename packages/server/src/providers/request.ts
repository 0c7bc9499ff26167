// HTTP to providers: one keep-alive pool, a limit on time and size, and errors told apart by the only
// question that matters for money: can the provider have acted on it?

import { Agent, request } from 'undici'
import { ProviderError } from './provider.ts'

/** For a whole request, body included; a create waits this long and then leaves the outcome to inquiries. */
export const PROVIDER_TIMEOUT_MS = 10_000

const MAX_ANSWER_BYTES = 1024 * 1024

/** What can go wrong before a byte of the request was sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Creates wait at a provider that hangs, so there is room for many; inquiries have connections of their own
 * and are answered all the same.
 */
const pool = { keepAliveTimeout: 30_000, connect: { timeout: 5_000 } }
const agents = {
  POST: new Agent({ ...pool, connections: 1024 }),
  GET: new Agent({ ...pool, connections: 256 }),
}

export type ProviderAnswer = { status: number; text: string; json: unknown }

/** json is undefined where the answer is not JSON. Throws ProviderError `unavailable` or `unknown`. */
export async function requestProvider(
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<ProviderAnswer> {
  try {
    const answer = await request(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      dispatcher: agents[method],
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
    })
    const text = await readLimited(answer.body)
    return { status: answer.statusCode, text, json: parseJson(text) }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const code = (error as { code?: string }).code ?? ''
    if (neverSent.has(code)) throw new ProviderError('unavailable', 'could not be reached', { cause: error })
    const timedOut = (error as Error).name === 'TimeoutError'
    throw new ProviderError(
      'unknown',
      timedOut ? `no answer within ${PROVIDER_TIMEOUT_MS / 1000} s` : 'the connection broke',
      {
        cause: error,
      },
    )
  }
}

async function readLimited(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new ProviderError('unknown', 'its answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
