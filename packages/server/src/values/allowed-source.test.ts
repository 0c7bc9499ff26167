import { expect, test } from 'vitest'
import { isAllowedSource } from './allowed-source.ts'

test.each([
  [[], '203.0.113.9', true],
  [[], undefined, true],
  [['192.0.2.7/32'], '192.0.2.7', true],
  [['192.0.2.7/32'], '192.0.2.8', false],
  [['192.0.2.0/24', '198.51.100.0/24'], '198.51.100.200', true],
  // An IPv4 client's address, in the notation that a dual-stack socket uses.
  [['192.0.2.0/24'], '::ffff:192.0.2.9', true],
  // Allowed IPv4 networks in the notation that a dual-stack socket uses.
  [['::ffff:192.0.2.7/128'], '192.0.2.7', true],
  [['::ffff:192.0.2.7/128'], '::ffff:192.0.2.7', true],
  [['::ffff:192.0.2.7/128'], '192.0.2.8', false],
  [['::ffff:192.0.2.0/120'], '192.0.2.200', true],
  [['::ffff:192.0.2.0/120'], '192.0.3.1', false],
  [['2001:db8::/32'], '2001:db8:1::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::/32'], '192.0.2.1', false],
  [['::/0'], '192.0.2.1', false],
  [['192.0.2.0/24'], undefined, false],
  [['192.0.2.0/24'], 'unknown', false],
])(
  'with the allowed networks %j, the source address %s is accepted (true) or rejected (false): %s',
  (networks, address, isAllowed) => {
    expect(isAllowedSource(networks, address)).toBe(isAllowed)
  },
)
