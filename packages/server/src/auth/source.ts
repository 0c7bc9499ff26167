// Where a request comes from, as far as counting is concerned.

import ipaddr from 'ipaddr.js'

/** An IPv4 address; of IPv6 the network of 64 bits, which is what one customer has at the least. */
export function sourceOf(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return 'unknown'
  const address = ipaddr.process(remoteAddress)
  if (address.kind() === 'ipv4') return address.toString()
  const network = address.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(network)}/64`
}
