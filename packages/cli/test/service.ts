// A fake service. It returns the examples in the API document, or the responses that a test defines.

import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Payment } from '@gapura/sdk'
import { onTestFinished } from 'vitest'

const document = JSON.parse(readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'))
export const aPayment: Payment =
  document.paths['/v1/payments/create'].post.responses[200].content['application/json'].examples
    .virtual_account.value.data

/** Returns the names of all fields that a create-payment request can have with any payment method. */
export function createFields(): string[] {
  const variants: { $ref: string }[] = document.components.schemas.CreatePayment.oneOf
  const schemas = variants.map(({ $ref }) => document.components.schemas[$ref.split('/').at(-1) as string])
  return [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties)))].sort()
}

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of the JSON
export type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: any }
/** A response from the fake service. A string body is sent unchanged, and any other body is sent as JSON. */
type Answer = { status: number; body: unknown; headers?: Record<string, string> }

export const ok = (data: unknown): Answer => ({ status: 200, body: { success: true, data } })
export const failure = (status: number, code: string, message: string): Answer => ({
  status,
  body: { success: false, error: { code, message } },
})

export async function service(
  answerTo: (asked: Asked) => Answer,
): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { method = '', url = '', headers } = request
    const one = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) }
    asked.push(one)
    const { status, body, headers: more } = answerTo(one)
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...more })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
