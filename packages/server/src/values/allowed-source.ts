// Checks source addresses against lists of allowed addresses. Provider accounts have such a list for their
// callbacks, and API keys have one for their requests.

import ipaddr from 'ipaddr.js'

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

/** The prefix of IPv4-mapped IPv6 addresses, `::ffff:0:0/96`. */
const MAPPED_PREFIX_LENGTH = 96

/**
 * Parses an IP address or a network in CIDR notation. An IPv4-mapped IPv6 network, such as `::ffff:192.0.2.0/120`,
 * becomes the IPv4 network, because client addresses are converted in the same way.
 */
export function parseNetwork(text: string): Network {
  const [address, length] = ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : networkOfAddress(text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= MAPPED_PREFIX_LENGTH
    ? [address.toIPv4Address(), length - MAPPED_PREFIX_LENGTH]
    : [address, length]
}

function networkOfAddress(text: string): Network {
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Returns whether the address belongs to one of the networks. An IPv6 socket reports an IPv4 client as
 * ::ffff:192.0.2.1, so the function `process` of ipaddr.js first converts such an address to plain IPv4.
 */
export function isInNetworks(networks: readonly Network[], address: string): boolean {
  const source = ipaddr.process(address)
  return networks.some(([network, bits]) => network.kind() === source.kind() && source.match([network, bits]))
}

/**
 * Returns whether requests from the address are allowed. `networks` is a list of IP addresses and CIDR ranges; an empty
 * list allows every address. `address` is undefined if the client's address is unknown.
 */
export function isAllowedSource(networks: readonly string[], address: string | undefined): boolean {
  if (networks.length === 0) return true
  if (address === undefined || !ipaddr.isValid(address)) return false
  return isInNetworks(networks.map(parseNetwork), address)
}
