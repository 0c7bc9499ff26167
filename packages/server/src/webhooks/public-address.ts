// Decides which addresses a delivery may reach. Callback URLs come from tenants, so a delivery must never reach our own
// network. The check of a URL on input only gives early feedback; the check when connecting (webhook-agent.ts) enforces
// it.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All of IPv6 that is allocated (RFC 4291, 2.4); ::/96 outside it embeds IPv4 addresses. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Rejects every special range (private, loopback, link-local, CGNAT, multicast, 6to4, Teredo, NAT64, …). */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // process() turns ::ffff:10.0.0.1 into 10.0.0.1, so the embedded address is checked.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6))
}

/** localhost and its subdomains mean this machine, whatever a name server returns (RFC 6761, 6.3). */
export const isThisMachine = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name)

/** Checks a callback URL before it is stored; any port is allowed. Returns its fault, or undefined. */
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
