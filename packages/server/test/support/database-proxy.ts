// A proxy to a test's database that can close connections or drop traffic, as a network can.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './at-end.ts'

export type DatabaseProxy = {
  url: string
  /** Closes all connections and refuses new ones. */
  cut(): void
  /** Keeps all connections open, but forwards no traffic until `mend` is called. */
  freeze(): void
  /**
   * Stops forwarding traffic on existing connections without closing them, as after a failover to another server. New
   * connections work.
   */
  failOver(): void
  /**
   * Ends `freeze` or `cut`. After `freeze`, the delayed traffic is forwarded too. After `cut`, connections are accepted
   * again.
   */
  mend(): void
}

/** Starts a proxy to the database at `url`. The URL's host may be the directory of the server's Unix socket. */
export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url)
  const directory = target.searchParams.get('host')
  const open = () =>
    directory === null ? connect(Number(target.port), target.hostname) : connect(`${directory}/.s.PGSQL.5432`)
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'frozen' = 'open'

  const server = createServer(client => {
    if (state === 'cut') return client.destroy()
    const postgres = open()
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
