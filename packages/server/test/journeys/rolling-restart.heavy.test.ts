// Replaces two processes of the service one after the other under load. The load balancer in front of them polls
// /readyz and does not retry requests.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { freePort } from '../support/free-port.ts'
import { merchantOf, until } from '../support/merchant.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const { demo, databaseUrl, masterKey } = await testApp({ worker: false })

/**
 * How long a stopping process still accepts requests. This is longer than the load balancer's polling interval, so
 * the load balancer stops sending requests to the process before the process stops.
 */
const SHUTDOWN_DELAY_SECONDS = 3
const LOOKED_AT_EVERY_MS = 500

type Server = { port: number; isReady: boolean; agent: Agent; child: ChildProcess; ended: Promise<unknown[]> }

function start(port: number): Server {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      GAPURA_MASTER_KEY: masterKey.toString('base64'),
      GAPURA_PUBLIC_URL: 'http://127.0.0.1',
      GAPURA_SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS),
      GAPURA_LOG_LEVEL: 'warn',
      PORT: String(port),
    },
    stdio: 'ignore',
  })
  atEnd(() => void child.kill('SIGKILL'))
  // The load balancer keeps its connections open, as real load balancers do.
  return { port, isReady: false, agent: new Agent({ keepAlive: true }), child, ended: once(child, 'exit') }
}

const lookAt = (server: Server) =>
  new Promise<boolean>(resolve => {
    request({ port: server.port, path: '/readyz', agent: false }, response => {
      response.resume()
      resolve(response.statusCode === 200)
    })
      .on('error', () => resolve(false))
      .end()
  })

/** Starts a load balancer that forwards each request once, to a process that was ready at the last poll. */
async function balancer(servers: Server[]) {
  let turn = 0
  const failures: string[] = []
  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = servers.filter(({ isReady }) => isReady)
    const server = ready[turn++ % ready.length]
    const fail = (why: string) => {
      failures.push(`${incoming.method} ${incoming.url} at ${server?.port}: ${why}`)
      outgoing.writeHead(502).end()
    }
    if (!server) {
      fail('nobody is ready')
      return
    }
    const { method, url: path, headers } = incoming
    const sent = request({ port: server.port, method, path, headers, agent: server.agent }, answer => {
      outgoing.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] })
      answer.on('error', error => outgoing.destroy(error)).pipe(outgoing)
    })
    sent.on('error', error => fail(error.message))
    incoming.pipe(sent)
  }
  const proxy = createServer(forward)
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const looking = setInterval(async () => {
    for (const server of servers) server.isReady = await lookAt(server)
  }, LOOKED_AT_EVERY_MS)
  atEnd(() => {
    clearInterval(looking)
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, failures }
}

test("no request fails while the service's two processes are replaced one after the other", async () => {
  const servers = [start(await freePort()), start(await freePort())]
  const { url, failures } = await balancer(servers)
  const bothReady = () =>
    until('both processes are ready', () => servers.every(({ isReady }) => isReady), 120_000)
  await bothReady()

  const merchant = merchantOf({ ...demo, base_url: url })
  const created: string[] = []
  const refused: string[] = []
  let isOver = false
  async function shop(): Promise<void> {
    while (!isOver) {
      try {
        const { data, error } = await merchant.create({}, randomUUID())
        expect(error).toBeUndefined()
        expect((await merchant.get(data.id)).data).toEqual(data)
        created.push(data.id)
      } catch (error) {
        refused.push(String(error))
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  const load = Array.from({ length: 8 }, shop)

  for (const [index, { port, child, ended }] of servers.entries()) {
    const before = created.length
    child.kill('SIGTERM')
    await until('twenty more payments were created', () => created.length > before + 20 || refused.length > 0)
    expect((await ended)[0]).toBe(0)
    servers[index] = start(port)
    await bothReady()
  }
  isOver = true
  await Promise.all(load)
  expect([failures, refused]).toEqual([[], []])
  expect(created.length).toBeGreaterThan(50)
  for (const { child, ended } of servers) {
    child.kill('SIGTERM')
    await ended
  }
})
