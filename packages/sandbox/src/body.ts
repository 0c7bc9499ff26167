import type { IncomingMessage } from 'node:http'

const BODY_LIMIT_BYTES = 1024 * 1024

export class BodyTooLarge extends Error {
  readonly status = 413
  readonly expose = true
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > BODY_LIMIT_BYTES) throw new BodyTooLarge('the request body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the parsed JSON, or undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
