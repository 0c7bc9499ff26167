// A TCP proxy between two processes that can cut, delay, freeze or mute their connections (schedule.ts).

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Disturbance } from '../schedule.ts'

export type Link = {
  /** The ports on which the network link's proxies listen, one for each server behind the link. */
  ports: number[]
  disturb(how: Disturbance): void
  /**
   * Ends the disturbance. After `mute`, which drops responses, the proxy closes its connections. After any other
   * disturbance, it forwards the data that it held back.
   */
  mend(): void
  close(): Promise<void>
}

const DELAY_MS = 400

/**
 * Opens a network link with one proxy per server. The functions in `connects` connect to the servers. A disturbance
 * (such as a delay) affects all of the link's proxies.
 */
export async function openLink(connects: (() => Socket)[]): Promise<Link> {
  const proxies = await Promise.all(connects.map(openProxy))
  return {
    ports: proxies.map(({ port }) => port),
    disturb(how) {
      for (const proxy of proxies) proxy.disturb(how)
    },
    mend() {
      for (const proxy of proxies) proxy.mend()
    },
    async close() {
      await Promise.all(proxies.map(proxy => proxy.close()))
    },
  }
}

type Proxy = Omit<Link, 'ports'> & { port: number }

async function openProxy(connect: () => Socket): Promise<Proxy> {
  const open = new Map<Socket, Socket>()
  let condition: Disturbance | undefined
  let mended = Promise.withResolvers<void>()

  const held = (direction: 'there' | 'back') =>
    condition === 'freeze' || (condition === 'mute' && direction === 'back')
  const through = (direction: 'there' | 'back') =>
    new Transform({
      async transform(chunk, _encoding, done) {
        if (condition === 'delay') await pause(DELAY_MS)
        while (held(direction)) await mended.promise
        done(null, chunk)
      },
    })
  const destroyAll = () => {
    for (const [client, server] of open) {
      client.destroy()
      server.destroy()
    }
  }

  const server = createServer(client => {
    if (condition === 'cut') return void client.destroy()
    const other = connect()
    open.set(client, other)
    const ended = () => {
      open.delete(client)
      client.destroy()
      other.destroy()
    }
    client.setNoDelay(true)
    other.setNoDelay(true)
    pipeline(client, through('there'), other, error => error && ended())
    pipeline(other, through('back'), client, ended)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    disturb(how) {
      condition = how
      if (how === 'cut') destroyAll()
    },
    mend() {
      if (condition === 'mute') destroyAll()
      condition = undefined
      mended.resolve()
      mended = Promise.withResolvers()
    },
    async close() {
      destroyAll()
      server.close()
      await once(server, 'close')
    },
  }
}
