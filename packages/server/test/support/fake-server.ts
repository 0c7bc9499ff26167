// Starts an HTTP server that replaces a provider. The test defines its responses.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach } from 'vitest'
import { atEnd } from './at-end.ts'

export type Request = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Answer = (response: ServerResponse, request: Request) => void

/**
 * Starts the server, which stops at the end of the test file. `received` contains the requests since the start of
 * the current test.
 */
export async function fakeServer() {
  const received: Request[] = []
  let answer: Answer = response => response.destroy()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    const asked = { method, url, headers, body }
    received.push(asked)
    answer(response, asked)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    received.length = 0
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers(next: Answer) {
      answer = next
    },
    replies(status: number, body: unknown) {
      answer = response =>
        response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    },
  }
}
