import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { sourceOf } from '../auth/source.ts'
import { crowd } from '../crowd.ts'

/**
 * One connection more than may be open closes the newest of the source that has the most: a source with fewer than the
 * others keeps all of its own. Behind a balancer there is one source, and the newcomer is closed.
 */
export function boundConnections(server: Pick<Server, 'on'>, most: number): void {
  const open = crowd<Socket>({ most, own: most, leaves: 'newest' })
  server.on('connection', socket => {
    const source = sourceOf(socket.remoteAddress)
    socket.once('close', () => open.leave(source, socket))
    open.enter(source, socket)?.destroy()
  })
}
