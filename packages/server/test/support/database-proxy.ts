// A way to a test's database that can be cut, and that can swallow whatever is sent, as a network does.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './at-end.ts'

export type DatabaseProxy = {
  url: string
  /** Whoever is connected is not any more, and nobody gets through. */
  cut(): void
  /** Everyone stays connected, and nothing goes through any more. */
  freeze(): void
  /** Who is connected stays so and is heard no more, as after a fail-over; who comes next gets through. */
  failOver(): void
  /** What was held back goes through, and everything after it. */
  mend(): void
}

/** url: with the directory of the server's socket as its host. */
export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url)
  const path = `${target.searchParams.get('host')}/.s.PGSQL.5432`
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'frozen' = 'open'

  const server = createServer(client => {
    if (state === 'cut') return client.destroy()
    const postgres = connect(path)
    for (const [socket, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.on('data', bytes => other.write(bytes))
      if (state === 'frozen') socket.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pause = () => {
    for (const socket of sockets) socket.pause()
  }
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  atEnd(() => {
    close()
    server.close()
  })
  return {
    url: `postgres://${target.username}@127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    cut() {
      state = 'cut'
      close()
    },
    freeze() {
      state = 'frozen'
      pause()
    },
    failOver: pause,
    mend() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
  }
}
