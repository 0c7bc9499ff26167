import type { Socket } from 'node:net'
import { crowd } from '../../fairness/bounded-set.ts'
import type { Listener } from '../listener.ts'
import { sourceOf } from '../network-source.ts'

/**
 * Limits the number of open connections. If there is one too many, the newest connection of the source with the most
 * connections is closed, so sources with few connections keep them. Behind a load balancer all connections have the
 * same source, so the new connection is closed.
 */
export function boundConnections(server: Listener, most: number): void {
  const open = crowd<Socket>({ most, own: most, leaves: 'newest' })
  server.on('connection', (socket: Socket) => {
    const source = sourceOf(socket.remoteAddress)
    socket.once('close', () => open.leave(source, socket))
    open.enter(source, socket)?.destroy()
  })
}
