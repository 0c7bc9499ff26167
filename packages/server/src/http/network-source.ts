// Identifies the network source of a request: its IPv4 address or its IPv6 network. The request counts toward
// the limits of this source.

import ipaddr from 'ipaddr.js'

/**
 * Returns the network source of a client address: the IPv4 address itself, or the /64 network of an IPv6 address.
 * Internet providers usually give each customer at least a /64.
 */
export function networkSourceOf(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return 'unknown'
  const address = ipaddr.process(remoteAddress)
  if (address.kind() === 'ipv4') return address.toString()
  const network = address.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(network)}/64`
}
