import type { Socket } from 'node:net'
import { sourceOf } from '../auth/source.ts'
import { crowd } from '../crowd.ts'
import type { Listener } from './listener.ts'

/**
 * One connection more than may be open closes the newest of the source that has the most: a source with fewer than the
 * others keeps all of its own. Behind a balancer there is one source, and the newcomer is closed.
 */
export function boundConnections(server: Listener, most: number): void {
  const open = crowd<Socket>({ most, own: most, leaves: 'newest' })
  server.on('connection', (socket: Socket) => {
    const source = sourceOf(socket.remoteAddress)
    socket.once('close', () => open.leave(source, socket))
    open.enter(source, socket)?.destroy()
  })
}
