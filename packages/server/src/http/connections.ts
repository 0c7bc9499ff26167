import type { Socket } from 'node:net'
import { sourceOf } from '../auth/source.ts'
import { crowd } from '../crowd.ts'
import type { Listener } from './listener.ts'

/**
 * Limits the number of open connections. When there is one too many, it closes the newest connection of the source with
 * the most. So a source with fewer than the others keeps all of its own. Behind a load balancer there is one source,
 * and the new connection is closed.
 */
export function boundConnections(server: Listener, most: number): void {
  const open = crowd<Socket>({ most, own: most, leaves: 'newest' })
  server.on('connection', (socket: Socket) => {
    const source = sourceOf(socket.remoteAddress)
    socket.once('close', () => open.leave(source, socket))
    open.enter(source, socket)?.destroy()
  })
}
