import { createServer, type Server } from 'node:http'
import net, { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Answer } from 'dns-packet'
import { type Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { atEnd } from '../../../test/support/at-end.ts'
import { nameServer, recordsOf, type Zone } from '../../../test/support/name-server.ts'
import { nameResolver } from './name-resolver.ts'
import { webhookAgent } from './webhook-agent.ts'

// Tests cannot listen on a public address. Tests that need a public address therefore treat the local address
// 127.0.0.1 as public.
const OURS = '127.0.0.1'
const taken = vi.hoisted(() => ({ forPublic: '' }))
vi.mock(import('./public-address.ts'), async original => {
  const { isPublicAddress, ...rest } = await original()
  return { ...rest, isPublicAddress: address => address === taken.forPublic || isPublicAddress(address) }
})

let server: Server
let port: number
/** For each connection to the test server, the address of the server to which the client connected. */
let connections: string[] = []
beforeAll(async () => {
  server = createServer((_, response) => response.setHeader('connection', 'close').end('here'))
  server.on('connection', socket => connections.push(socket.localAddress?.replace('::ffff:', '') ?? ''))
  // Without a host, the server listens on IPv4 and, if available, on IPv6.
  await new Promise<void>(resolve => server.listen(0, resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())
beforeEach(() => {
  connections = []
  taken.forPublic = ''
})

async function agentOf(zone: Zone) {
  const { address, asked } = await nameServer(zone)
  const agent = webhookAgent(false, nameResolver({ servers: [address], timeoutMs: 60_000 }))
  atEnd(() => agent.destroy())
  return { agent, asked }
}
const send = (host: string, agent: Agent) =>
  request(`http://${host}:${port}/`, { method: 'POST', dispatcher: agent }).then(({ body }) => body.text())
const refused = (message: string) => ({
  name: 'PrivateAddressError',
  message: expect.stringContaining(message),
})

test.each([true, false])(
  'a receiver with several addresses gets four seconds to accept a connection at the first one (private addresses allowed: %s)',
  async allowPrivate => {
    const connect = vi.spyOn(net, 'connect')
    const agent = webhookAgent(allowPrivate, async () => [{ address: OURS, family: 4 }])
    onTestFinished(() => agent.destroy())
    taken.forPublic = OURS
    expect(await send(allowPrivate ? OURS : 'receiver.example', agent)).toBe('here')
    expect(connect.mock.calls.flat()).toContainEqual(
      expect.objectContaining({ autoSelectFamilyAttemptTimeout: 4_000 }),
    )
  },
)

describe('a connection for a webhook delivery is made only to an allowed address', () => {
  const everywhere: Zone = question => recordsOf(question, ['1.1.1.1'])

  test.each([
    '127.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0.0.0.0',
    '①②⑦.⓪.⓪.①',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
  ])(
    'a webhook to %s is rejected before the service opens a connection or queries a name server',
    async host => {
      const { agent, asked } = await agentOf(everywhere)
      await expect(send(host, agent)).rejects.toMatchObject({ name: 'PrivateAddressError' })
      expect([connections, asked]).toEqual([[], []])
    },
  )

  test.each([
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['::1'],
    ['fd00:ec2::254'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['2001:0:7f00:1::'],
  ])(
    'a webhook delivery to a host name that resolves to the private address %s is rejected',
    async address => {
      const { agent } = await agentOf(question => recordsOf(question, [address]))
      await expect(send('inner.example.com', agent)).rejects.toMatchObject(refused('inner.example.com'))
      expect(connections).toEqual([])
    },
  )

  test.each([[[OURS, '127.0.0.3']], [['127.0.0.3', OURS]], [[OURS, '::1']]])(
    'a webhook delivery to a host name that has both a private and a public address is rejected: %j',
    async addresses => {
      taken.forPublic = OURS
      const { agent } = await agentOf(question => recordsOf(question, addresses))
      await expect(send('both.example.com', agent)).rejects.toMatchObject(refused('both.example.com'))
      expect(connections).toEqual([])
    },
  )

  test('a host name that is an alias (CNAME) of a name with a private address receives no webhook', async () => {
    const { agent } = await agentOf(({ name, type }): Answer[] => [
      { type: 'CNAME', name, data: 'database.internal' },
      ...(type === 'A' ? [{ type, name: 'database.internal', data: '127.0.0.1' } as const] : []),
    ])
    await expect(send('alias.example.com', agent)).rejects.toMatchObject(refused('127.0.0.1'))
    expect(connections).toEqual([])
  })

  test('a webhook delivery connects to the IP address that was checked, without another lookup', async () => {
    // The first lookup returns the address that the test treats as public. A second lookup would return another
    // address of this machine, which the delivery must not use.
    taken.forPublic = OURS
    let times = 0
    const { agent, asked } = await agentOf(question =>
      recordsOf(question, question.type === 'A' ? [times++ === 0 ? OURS : '127.0.0.3'] : []),
    )
    expect(await send('rebound.example.com', agent)).toBe('here')
    expect(connections).toEqual([OURS])
    expect(asked.filter(({ type }) => type === 'A')).toHaveLength(1)
    await expect(send('rebound.example.com', agent)).rejects.toMatchObject(refused('127.0.0.3'))
    expect(connections).toEqual([OURS])
  })

  test("a webhook delivery fails if the URL's host name is unknown, and the error states this reason", async () => {
    const { agent } = await agentOf(() => 'none')
    await expect(send('no-such-name.example.com', agent)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('in development, a webhook can be delivered to this machine, by address or by host name', async () => {
    const open = webhookAgent(true)
    expect(await send('127.0.0.1', open)).toBe('here')
    expect(await send('localhost', open)).toBe('here')
    await open.destroy()
  })
})

/**
 * Returns two agents, each with a host that it can reach: the agent that allows only public addresses, and the agent
 * for development.
 */
async function bothAgents() {
  taken.forPublic = OURS
  const { agent } = await agentOf(question => recordsOf(question, [OURS]))
  const open = webhookAgent(true)
  onTestFinished(() => open.destroy())
  return [
    [agent, 'shop.example.com'],
    [open, '127.0.0.1'],
  ] as const
}

test('webhook connections offer the receiver only HTTP/1.1, because an HTTP/2 session could hang', async () => {
  for (const [each, host] of await bothAgents()) {
    let hello = Buffer.alloc(0)
    const receiver = createTcpServer(socket =>
      socket.once('data', data => {
        hello = Buffer.from(data)
        socket.destroy()
      }),
    )
    await new Promise<void>(resolve => receiver.listen(0, resolve))
    const { port } = receiver.address() as AddressInfo
    await request(`https://${host}:${port}/`, { dispatcher: each }).catch(() => {})
    // The TLS extension ALPN (RFC 7301, 3.1), in which the client offers only HTTP/1.1. Its bytes are the extension
    // type 16, the lengths, and one protocol name.
    const offer = Buffer.concat([Buffer.from([0, 16, 0, 11, 0, 9, 8]), Buffer.from('http/1.1')])
    expect(hello.includes(offer)).toBe(true)
    receiver.close()
  }
})

test('an idle webhook connection is closed after 10 s, whatever keep-alive time the receiver requests', async () => {
  for (const [each, host] of await bothAgents()) {
    let isOpen = false
    const receiver = createTcpServer(socket => {
      isOpen = true
      socket.on('close', () => {
        isOpen = false
      })
      socket.once('data', () =>
        socket.write('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\nKeep-Alive: timeout=600\r\n\r\n'),
      )
    })
    await new Promise<void>(resolve => receiver.listen(0, resolve))
    const { port } = receiver.address() as AddressInfo
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await request(`http://${host}:${port}/`, { method: 'POST', dispatcher: each })
    await turns()
    vi.advanceTimersByTime(9_000)
    await turns()
    expect(isOpen).toBe(true)
    vi.advanceTimersByTime(1_500)
    vi.useRealTimers()
    await expect.poll(() => isOpen).toBe(false)
    receiver.close()
  }
})

/** Waits until Node has handled the socket events that are already pending. */
async function turns(): Promise<void> {
  for (let n = 0; n < 50; n++) await endOfTurn()
}
