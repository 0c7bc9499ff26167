// Runs a tenant's webhook receiver in its own process. One port responds at once and records when each event first
// arrived. Another port never responds. To save CPU time, only the necessary parts of HTTP are implemented.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { answer, nowMs, type Partner, startPartner } from './partner.ts'

type Listening = { url: string; silentUrl: string }

const answers = {
  urls: (): Listening => ({ url: urlOf(answering), silentUrl: urlOf(silent) }),
  /**
   * Returns the webhook requests and events received since this function was last called. `shortestBody` is the length
   * of the shortest body in bytes.
   */
  take(): { requests: number; shortestBody: number; arrivals: Map<string, number> } {
    const taken = { requests, shortestBody, arrivals }
    requests = 0
    shortestBody = Number.POSITIVE_INFINITY
    arrivals = new Map()
    return taken
  },
  count: (): number => requests,
  /** Closes all connections to the receiver's second port, which never responds to requests. */
  hangUp(): void {
    for (const socket of held) socket.destroy()
  },
}

let requests = 0
let shortestBody = Number.POSITIVE_INFINITY
let arrivals = new Map<string, number>()
const answering = createServer(socket => {
  let received = ''
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', chunk => {
    received += chunk.toString('latin1')
    for (let length = lengthOf(received); length <= received.length; length = lengthOf(received)) {
      note(received, length)
      received = received.slice(length)
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok')
    }
  })
})

/**
 * Returns the length in bytes of the first request in `received`. If the request's headers are incomplete,
 * returns infinity, because the length is not known yet.
 */
function lengthOf(received: string): number {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return Number.POSITIVE_INFINITY
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN)
}

function note(request: string, length: number): void {
  requests++
  shortestBody = Math.min(shortestBody, length - request.indexOf('\r\n\r\n') - 4)
  const id = /\r\nx-service-event-id: (\S+)/i.exec(request)?.[1]
  if (id !== undefined && !arrivals.has(id)) arrivals.set(id, nowMs())
}

const held = new Set<Socket>()
const silent = createServer(socket => {
  held.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => held.delete(socket))
  socket.resume()
})

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`

export type Receiver = Partner<typeof answers> & Listening

export async function startReceiver(): Promise<Receiver> {
  const partner = await startPartner<typeof answers>(import.meta.filename)
  return { ...partner, ...(await partner.ask('urls')) }
}

if (process.send && process.argv[1] === import.meta.filename) {
  const listening = (server: Server) =>
    new Promise<void>(resolve => server.listen(0, '127.0.0.1', 2_048, resolve))
  await Promise.all([listening(answering), listening(silent)])
  answer(answers)
}
