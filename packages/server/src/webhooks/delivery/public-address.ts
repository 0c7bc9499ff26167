// Decides which addresses a webhook may reach, so that a tenant cannot make the service send requests into the
// operator's own network (SSRF). The rule is enforced for each connection (webhook-agent.ts). The check of a URL
// before it is stored only gives the tenant early feedback.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The IPv6 range that contains all allocated public addresses (RFC 4291, 2.4). It excludes ::/96, whose addresses
 * embed IPv4 addresses.
 */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns whether the address is public. Returns false for every special range (private, loopback, link-local, CGNAT,
 * multicast, 6to4, Teredo, NAT64, …).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // `ipaddr.process` converts an IPv4-mapped address, such as ::ffff:10.0.0.1, to the IPv4 address 10.0.0.1,
  // so that the IPv4 rules apply to it.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6))
}

/**
 * Returns whether the name is localhost or one of its subdomains. Such a name always means this machine, even if a
 * name server returns another address (RFC 6761, 6.3).
 */
export const isThisMachine = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name)

/**
 * Checks a callback URL before it is stored. Returns the id of the rule that it breaks, or undefined if it is
 * valid. Any port is allowed.
 */
export function callbackUrlFault(text: string, allowPrivate: boolean) {
  if (!URL.canParse(text)) return 'url_malformed'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'url_not_https'
  if (url.username || url.password) return 'url_with_credentials'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (allowPrivate) return undefined
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'url_names_private_address'
  if (isThisMachine(host)) return 'url_names_this_machine'
  return undefined
}
