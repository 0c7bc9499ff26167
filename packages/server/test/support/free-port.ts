// Finds free TCP ports on the loopback address.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Returns `count` different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  // Opens all ports before it closes any of them, so that the system does not return the same port twice.
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  await Promise.all(servers.map(server => once(server, 'close')))
  return ports
}

export async function freePort(): Promise<number> {
  const [port] = (await freePorts(1)) as [number]
  return port
}

/**
 * The range of ports of this test worker. Workers that run at the same time have different ranges. Otherwise, a worker
 * could choose a port that another worker has chosen but not opened yet.
 */
const ports = { first: 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 12) * 1_000, count: 1_000 }
let next = Math.floor(Math.random() * ports.count)

/** Returns the first of `count` adjacent free ports. */
export async function freePortRange(count: number): Promise<number> {
  for (;;) {
    if (next + count > ports.count) next = 0
    const first = ports.first + next
    next += count
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)))
    if (free.every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
