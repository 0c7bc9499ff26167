// Whom a request comes from. Behind a balancer the connection is the balancer's, and X-Forwarded-For says who called it;
// anybody can write that header, so it is believed as far as addresses go that the operator trusts.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/** Undefined: the caller is gone. */
export type ClientAddress = (request: IncomingMessage) => string | undefined

/** trustedProxies: addresses and CIDRs. Without any the header is never read. */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(text =>
    ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : hostOf(ipaddr.process(text)),
  )
  const isTrusted = (address: string): boolean => {
    const parsed = ipaddr.process(address)
    return networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits]),
    )
  }

  return ({ socket, headers }) => {
    let address = socket.remoteAddress
    if (networks.length === 0 || address === undefined) return address
    // Each proxy writes whom it heard from at the end, so they are read from there.
    const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse()
    for (const hop of hops.map(withoutPort)) {
      if (!isTrusted(address) || !ipaddr.isValid(hop)) break
      address = hop
    }
    return address
  }
}

const hostOf = (address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] => [
  address,
  address.kind() === 'ipv4' ? 32 : 128,
]

/** Some balancers write the port, too. */
const withoutPort = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
