// Connects the browser to the service through a proxy whose connections a test can cut.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a proxy to the service `target`. The proxy runs until the current test ends. */
export async function cuttable(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(browser => {
    if (isCut) return browser.destroy()
    const service = connect(Number(port), hostname)
    for (const [socket, other] of [
      [browser, service],
      [service, browser],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    hangUp()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      hangUp()
    },
    mend() {
      isCut = false
    },
  }
}
