import { expect, test } from 'vitest'
import { networkSourceOf } from './network-source.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  [undefined, 'unknown'],
  ['', 'unknown'],
  ['a unix socket', 'unknown'],
])(
  'requests from the IP address %j count toward the request limits of the network source %s',
  (address, source) => {
    expect(networkSourceOf(address)).toBe(source)
  },
)
