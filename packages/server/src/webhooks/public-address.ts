// Callback URLs come from tenants, so a delivery must never reach into our own network. What is told here when a URL is
// entered is told early; what counts is where the connection is made (webhook-agent.ts).

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All of IPv6 that is given out (RFC 4291, 2.4); ::/96 outside it embeds IPv4 addresses. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Every special range (private, loopback, link-local, CGNAT, multicast, 6to4, Teredo, NAT64, …) is refused. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // process() turns ::ffff:10.0.0.1 into 10.0.0.1, so the embedded address is what counts.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6))
}

/** localhost and what is below it mean this machine, whatever a name server says (RFC 6761, 6.3). */
export const isThisMachine = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name)

/** A callback URL as it may be stored, with any port. Returns what is wrong with it, or undefined. */
export function callbackUrlFault(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return 'must begin with https://'
  if (url.username || url.password) return 'must not carry a user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (allowPrivate) return undefined
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'must not name a private or reserved address'
  if (isThisMachine(host)) return 'must not name this machine'
  return undefined
}
