import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ipAddressOf } from './ip-address.ts'

test.each([
  ['the payer’s address if it has 10 to 15 characters', '198.51.100.27', '192.0.2.130', '198.51.100.27'],
  ['the payer’s address of 10 characters', '192.0.2.10', '198.51.100.27', '192.0.2.10'],
  ['the payer’s address of 15 characters', '203.100.113.254', '192.0.2.130', '203.100.113.254'],
  ['the payer’s IPv4 address inside IPv6', '::ffff:198.51.100.27', '192.0.2.130', '198.51.100.27'],
  [
    'the service’s address if the payer’s address has 9 characters',
    '192.0.2.1',
    '192.0.2.130',
    '192.0.2.130',
  ],
  [
    'the service’s address if the payer’s address is the loopback address',
    '127.0.0.1',
    '192.0.2.130',
    '192.0.2.130',
  ],
  ['the service’s address if the payer’s address is IPv6', '2001:db8::1', '192.0.2.130', '192.0.2.130'],
  ['the service’s address if the payer’s address is unknown', undefined, '192.0.2.130', '192.0.2.130'],
  [
    'an address reserved for documentation if the service’s address is too short',
    undefined,
    '8.8.8.8',
    '203.0.113.1',
  ],
  ['an address reserved for documentation if neither address is known', undefined, undefined, '203.0.113.1'],
])('the header X-IP-ADDRESS of a request to DOKU contains %s', (_, customerIp, serviceIp, expected) => {
  expect(ipAddressOf({ ...(customerIp && { customerIp }), ...(serviceIp && { serviceIp }) })).toBe(expected)
})

// This test uses only valid addresses, because customer_ip and GAPURA_PUBLIC_IP are validated before
// `ipAddressOf` is called.
test('the X-IP-ADDRESS header has 10 to 15 characters and is never the loopback address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.ipV4(), (customerIp, serviceIp) => {
      const address = ipAddressOf({ customerIp, serviceIp })
      expect(address).toMatch(/^[\d.]{10,15}$/)
      expect(address).not.toBe('127.0.0.1')
    }),
  )
})
