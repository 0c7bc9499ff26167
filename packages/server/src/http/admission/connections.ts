import type { Socket } from 'node:net'
import { boundedSet } from '../../fairness/bounded-set.ts'
import type { Listener } from '../listener.ts'
import { networkSourceOf } from '../network-source.ts'

/**
 * Limits the number of open connections. Above the limit, closes the newest connection from the source with the
 * most connections. Behind a load balancer, all connections have the same source, so the newest of all
 * connections is closed.
 */
export function limitConnections(server: Listener, most: number): void {
  const open = boundedSet<Socket>({ maxSize: most, maxPerOwner: most, evicts: 'newest' })
  server.on('connection', (socket: Socket) => {
    const source = networkSourceOf(socket.remoteAddress)
    socket.once('close', () => open.delete(source, socket))
    open.add(source, socket)?.member.destroy()
  })
}
