import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Link, openLink } from './link.ts'

// The text received by the server behind the network link. The server also echoes this text to the client.
let heard = ''
const echo = createServer(socket => {
  socket.on('error', () => {})
  socket.on('data', bytes => {
    heard += bytes
    socket.write(bytes)
  })
})
let link: Link
beforeEach(async () => {
  heard = ''
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  link = await openLink([() => connect((echo.address() as AddressInfo).port, '127.0.0.1')])
})
afterEach(async () => {
  await link.close()
  echo.close()
})

async function talk(): Promise<{ socket: Socket; told: () => string }> {
  const socket = connect(link.ports[0] as number, '127.0.0.1')
  let told = ''
  socket.on('error', () => {})
  socket.on('data', bytes => {
    told += bytes
  })
  await once(socket, 'connect')
  return { socket, told: () => told }
}
const WHILE_MS = 150

test('an undisturbed network link passes data in both directions', async () => {
  const { socket, told } = await talk()
  socket.write('hello')
  await expect.poll(told).toBe('hello')
})

test('a cut network link closes its open connections, and closes every new connection until the link is restored', async () => {
  const { socket } = await talk()
  link.disturb('cut')
  await once(socket, 'close')
  await once((await talk()).socket, 'close')
  link.mend()
  const { socket: next, told } = await talk()
  next.write('again')
  await expect.poll(told).toBe('again')
})

test('a delayed network link (a proxy between two processes) passes all data in order', async () => {
  link.disturb('delay')
  const { socket, told } = await talk()
  for (const word of ['one ', 'two ', 'three']) {
    socket.write(word)
    await pause(5)
  }
  await expect.poll(told).toBe('one two three')
})

test('a frozen network link keeps its connections open, but forwards no data until it is restored', async () => {
  const { socket, told } = await talk()
  link.disturb('freeze')
  socket.write('held')
  await pause(WHILE_MS)
  expect([heard, told(), socket.destroyed]).toEqual(['', '', false])
  link.mend()
  await expect.poll(told).toBe('held')
})

test("a network link with the fault mute delivers each request to the server, but drops the server's response", async () => {
  const { socket, told } = await talk()
  link.disturb('mute')
  socket.write('asked')
  await expect.poll(() => heard).toBe('asked')
  await pause(WHILE_MS)
  expect(told()).toBe('')
  const closed = once(socket, 'close')
  link.mend()
  await closed
  expect(told()).toBe('')
})
