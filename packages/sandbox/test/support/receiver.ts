import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Received = {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of the provider's JSON
  body: any
}

type Reply = { status: number; body?: string; headers?: Record<string, string> }

const parsed = (text: string, type = '') =>
  type === 'application/x-www-form-urlencoded'
    ? Object.fromEntries(new URLSearchParams(text))
    : JSON.parse(text || 'null')

/** Starts a merchant's callback server, which stores the calls and sends the responses returned by `reply`. */
export async function startReceiver(
  reply: (call: Received, count: number) => Reply = () => ({ status: 200 }),
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const call = {
      path: request.url ?? '',
      headers: request.headers,
      text,
      body: parsed(text, request.headers['content-type']),
    }
    received.push(call)
    const { status, body = 'received', headers = {} } = reply(call, received.length)
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    received,
    async waitFor(count: number): Promise<Received[]> {
      await until(() => received.length >= count)
      return received
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5)
}
