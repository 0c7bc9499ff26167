// Finds free TCP ports on the loopback address.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Returns this many different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  // All ports are opened together, so that the system does not return the same port twice.
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

/** Returns the first of this many adjacent free ports. */
export async function freePortRange(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 12_000)
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
