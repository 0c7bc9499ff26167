import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { atEnd } from '../../../test/support/at-end.ts'
import { jobPool } from '../../jobs/job-pool.ts'
import { isDatabaseUnavailable } from '../database-errors.ts'

/** A message in PostgreSQL's protocol: its type, its length and its content. */
function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map(part => Buffer.from(part)))
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const ready = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])
const timelineOne = Buffer.concat([
  message('T', '\0\x01timeline\0', Buffer.from('000000000000000000170004ffffffff0000', 'hex')),
  message('D', '\0\x01\0\0\0\x01', '1'),
  message('C', 'SELECT 1\0'),
  message('Z', 'I'),
])
const terminated = message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0')

test('if PostgreSQL closes a connection while it is being opened, only its query fails', async () => {
  let connections = 0
  const server = createServer(socket => {
    connections += 1
    // On the first connection, the simulated PostgreSQL lets the client read the server's timeline (the number that
    // increases with each promotion). It closes each later connection as soon as the connection is open.
    const greeting = connections === 1 ? ready : Buffer.concat([ready, terminated])
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(greeting)
      socket.on('data', () => void socket.write(timelineOne))
      if (connections > 1) socket.end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  const { port } = server.address() as { port: number }
  const pool = jobPool(`postgres://x@127.0.0.1:${port}/x?target_session_attrs=read-write`, () => {})
  const error = await pool.query('select').catch(reason => reason)
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(connections).toBe(2)
  await pool.end()
})
