// A tenant's webhook receiver as a process: one port that answers at once and notes when each event came first, and
// one that takes connections and never says a word.

import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { answer, nowMs, type Partner, startPartner } from './partner.ts'

type Listening = { url: string; silentUrl: string }

const answers = {
  urls: (): Listening => ({ url: urlOf(http), silentUrl: urlOf(silent) }),
  /** Of all that came since the last call. */
  take(): { requests: number; arrivals: Map<string, number> } {
    const taken = { requests, arrivals }
    requests = 0
    arrivals = new Map()
    return taken
  },
  count: (): number => requests,
  /** Of those that wait for a word. */
  hangUp(): void {
    for (const socket of held) socket.destroy()
  },
}

let requests = 0
let arrivals = new Map<string, number>()
const http = createHttp((request, response) => {
  requests++
  const id = request.headers['x-service-event-id']
  if (typeof id === 'string' && !arrivals.has(id)) arrivals.set(id, nowMs())
  request.resume()
  request.on('end', () => response.end('ok'))
})
http.keepAliveTimeout = 60_000
const held = new Set<Socket>()
const silent = createTcp(socket => {
  held.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => held.delete(socket))
  socket.resume()
})

const urlOf = (server: Server | HttpServer) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`

export type Receiver = Partner<typeof answers> & Listening

export async function startReceiver(): Promise<Receiver> {
  const partner = await startPartner<typeof answers>(import.meta.filename)
  return { ...partner, ...(await partner.ask('urls')) }
}

if (process.send && process.argv[1] === import.meta.filename) {
  const listening = (server: Server | HttpServer) =>
    new Promise<void>(resolve => server.listen(0, '127.0.0.1', 2_048, resolve))
  await Promise.all([listening(http), listening(silent)])
  answer(answers)
}
