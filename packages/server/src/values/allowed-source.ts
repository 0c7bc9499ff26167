// Checks source addresses against lists of allowed addresses. Provider accounts have such a list for their
// callbacks, and API keys have one for their requests.

import ipaddr from 'ipaddr.js'

/**
 * Returns whether requests from the address are allowed. `networks` is a list of CIDR ranges; an empty list allows
 * every address. `address` is undefined if the client's address is unknown.
 */
export function isAllowedSource(networks: readonly string[], address: string | undefined): boolean {
  if (networks.length === 0) return true
  if (address === undefined || !ipaddr.isValid(address)) return false
  // An IPv6 socket reports an IPv4 client as ::ffff:192.0.2.1. The function `process` of ipaddr.js converts this to the
  // plain IPv4 address.
  const source = ipaddr.process(address)
  return networks.some(each => {
    const [network, bits] = ipaddr.parseCIDR(each)
    return network.kind() === source.kind() && source.match([network, bits])
  })
}
