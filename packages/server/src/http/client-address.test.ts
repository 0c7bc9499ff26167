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
  ['from a stranger the header is not believed', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['from a proxy the caller is whom it heard from', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['of two proxies both are gone through', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  [
    'what the caller wrote itself does not count',
    '10.0.0.1',
    '127.0.0.1, 1.1.1.1, 198.51.100.1',
    '198.51.100.1',
  ],
  ['a caller cannot pose as a proxy', '10.0.0.1', '10.0.0.9, 198.51.100.1', '198.51.100.1'],
  ['a call from among the proxies is its own', '10.0.0.1', '10.0.0.9', '10.0.0.9'],
  ['an invalid address ends the search', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['a port is removed from the address', '10.0.0.1', '198.51.100.1:5011', '198.51.100.1'],
  ['nor with IPv6', '10.0.0.1', '[2001:db8::7]:5011', '2001:db8::7'],
  ['IPv4 in the form of IPv6 is IPv4', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a proxy is trusted by IPv6, too', 'fd00::1', '198.51.100.1', '198.51.100.1'],
  ['a single address is trusted as a network is', '192.0.2.4', '198.51.100.1', '198.51.100.1'],
  ['and its neighbour is not', '192.0.2.5', '198.51.100.1', '192.0.2.5'],
  ['a proxy without the header is the caller', '10.0.0.1', undefined, '10.0.0.1'],
])('client address: %s', (_, remote, header, address) => {
  expect(clientAddress(['10.0.0.0/8', 'fd00::/8', '192.0.2.4'])(from(remote, header))).toBe(address)
})
