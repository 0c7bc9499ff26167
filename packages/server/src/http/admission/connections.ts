import type { Socket } from 'node:net'
import { boundedSet } from '../../fairness/bounded-set.ts'
import type { Listener } from '../listener.ts'
import { networkSourceOf } from '../network-source.ts'

/**
 * Limits the number of open connections. Above the limit, the newest connection of the source with the most
 * connections is closed. Other sources thus keep their connections. Behind a load balancer, all connections have the
 * same source, so the newest connection of all is closed.
 */
export function limitConnections(server: Listener, most: number): void {
  const open = boundedSet<Socket>({ maxSize: most, maxPerOwner: most, evicts: 'newest' })
  server.on('connection', (socket: Socket) => {
    const source = networkSourceOf(socket.remoteAddress)
    socket.once('close', () => open.delete(source, socket))
    open.add(source, socket)?.destroy()
  })
}
