import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

const from = (remoteAddress: string | undefined, forwardedFor?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } }) as unknown as IncomingMessage

test('X-Forwarded-For is ignored if no trusted proxies are configured', () => {
  const address = clientAddress([])
  expect(address(from('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7')
  expect(address(from(undefined, '198.51.100.1'))).toBeUndefined()
})

test.each([
  [
    'the header is ignored if the connection does not come from a trusted proxy',
    '203.0.113.7',
    '198.51.100.1',
    '203.0.113.7',
  ],
  [
    'behind a trusted proxy, the client is the address that the proxy added',
    '10.0.0.1',
    '198.51.100.1',
    '198.51.100.1',
  ],
  [
    'behind two trusted proxies, the client is the address that the first proxy added',
    '10.0.0.1',
    '198.51.100.1, 10.0.0.2',
    '198.51.100.1',
  ],
  [
    'addresses that the client itself sent are ignored',
    '10.0.0.1',
    '127.0.0.1, 1.1.1.1, 198.51.100.1',
    '198.51.100.1',
  ],
  ['a client cannot pretend to be a proxy', '10.0.0.1', '10.0.0.9, 198.51.100.1', '198.51.100.1'],
  [
    'a client whose own address is in a trusted network keeps this address',
    '10.0.0.1',
    '10.0.0.9',
    '10.0.0.9',
  ],
  ['an invalid address ends the search', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['a port is removed from the address', '10.0.0.1', '198.51.100.1:5011', '198.51.100.1'],
  ['a port is removed from an IPv6 address', '10.0.0.1', '[2001:db8::7]:5011', '2001:db8::7'],
  ['an IPv4 address in IPv6 notation counts as IPv4', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  [
    'a proxy in a trusted network in IPv4-mapped notation is trusted',
    '198.18.0.1',
    '198.51.100.1',
    '198.51.100.1',
  ],
  ['a proxy in a trusted IPv6 network is trusted', 'fd00::1', '198.51.100.1', '198.51.100.1'],
  ['a single address can be trusted, like a network', '192.0.2.4', '198.51.100.1', '198.51.100.1'],
  ['an address next to a trusted address is not trusted', '192.0.2.5', '198.51.100.1', '192.0.2.5'],
  ['a trusted proxy that sends no header counts as the client', '10.0.0.1', undefined, '10.0.0.1'],
])(
  'behind proxies, the client address is taken from the connection or a trusted header: %s',
  (_, remote, header, address) => {
    expect(
      clientAddress(['10.0.0.0/8', 'fd00::/8', '192.0.2.4', '::ffff:198.18.0.0/112'])(from(remote, header)),
    ).toBe(address)
  },
)
