// Determines the IP address that a request comes from. Behind a load balancer, the client's address is in the header
// X-Forwarded-For. Any client can send this header, so only the entries that trusted proxies have added are used.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { isInNetworks, parseNetwork } from '../values/allowed-source.ts'

/** Returns the address of the client that sent the request, or undefined if the client has disconnected. */
export type ClientAddress = (request: IncomingMessage) => string | undefined

/**
 * Returns a function that determines the addresses of clients. `trustedProxies` lists the IP addresses and
 * CIDR ranges of the proxies whose X-Forwarded-For header is trusted.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(parseNetwork)

  return ({ socket, headers }) => {
    let address = socket.remoteAddress
    if (networks.length === 0 || address === undefined) return address
    // Each proxy appends the address from which it received the request. The entries are therefore read from last
    // to first. The first address that does not belong to a trusted proxy is the client's address.
    const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse()
    for (const hop of hops.map(withoutPort)) {
      if (!isInNetworks(networks, address) || !ipaddr.isValid(hop)) break
      address = hop
    }
    return address
  }
}

/** Removes the port, which some load balancers add to the address. */
const withoutPort = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
