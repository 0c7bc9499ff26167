// Finds free TCP ports on the loopback address, below the range that Linux assigns to outgoing connections. Within that
// range, an outgoing connection could take a free port before the test uses it.

import { createServer } from 'node:net'

/**
 * The port range of the current test worker. Concurrent workers have different ranges, so that they cannot choose the
 * same port.
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

/** Returns `count` different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const first = await freePortRange(count)
  return Array.from({ length: count }, (_, index) => first + index)
}

export const freePort = (): Promise<number> => freePortRange(1)

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
