// Tests the error message that the service prints if the database becomes unavailable while the service is
// starting.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { envOf, startCommand } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'

const database = await testDatabase()

/**
 * Starts a proxy to the database. After the proxy has received `after` messages from the client, it closes
 * all its connections.
 */
async function wayThatEnds(after: number): Promise<string> {
  const { pathname, searchParams, username } = new URL(database.url)
  const sockets = new Set<Socket>()
  let messages = 0
  const server = createServer(client => {
    const postgres = connect(`${searchParams.get('host')}/.s.PGSQL.5432`)
    for (const [socket, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
      socket.on('data', bytes => {
        if (socket === client) messages++
        if (messages < after) other.write(bytes)
        else for (const each of sockets) each.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`
}

async function startLosing(after: number): Promise<{ code: number | null; stderr: string }> {
  const url = await wayThatEnds(after)
  const env = { PORT: String(await freePort()), GAPURA_LOG_LEVEL: 'silent' }
  const child = startCommand(['start'], envOf({ ...database, url }, env))
  // Output on stdout means that the service has started, although it should not. The service is killed, because it
  // would not exit by itself, and the test fails.
  child.stdout.on('data', () => child.kill('SIGKILL'))
  const [stderr, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stderr }
}

test.each([1, 3, 6, 10])(
  'if the database connection breaks at message %i while the service starts, the service exits with a one-line message that explains what to check',
  async after => {
    const ended = await startLosing(after)
    expect(ended).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^gapura: the database is unavailable \([^()\n]+\); check that PostgreSQL is running and accepts connections, then start again\n$/,
      ),
    })
  },
)
