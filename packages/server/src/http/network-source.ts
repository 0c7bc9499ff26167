// Identifies the network source of a request, toward whose limits the request counts.

import ipaddr from 'ipaddr.js'

/**
 * Returns the network source of a client address. For IPv4, this is the address itself. For IPv6, it is the /64
 * network, the smallest block that an internet provider's customer usually gets.
 */
export function networkSourceOf(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return 'unknown'
  const address = ipaddr.process(remoteAddress)
  if (address.kind() === 'ipv4') return address.toString()
  const network = address.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(network)}/64`
}
