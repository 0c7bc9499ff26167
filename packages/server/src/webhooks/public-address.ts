// Callback URLs come from tenants, so a delivery must never reach into our own network. The address is
// looked at where the connection is made, after DNS: a name that resolved well when the URL was entered may
// resolve to 127.0.0.1 now.

import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

/** All of IPv6 that is given out (RFC 4291, 2.4); ::/96 outside it embeds IPv4 addresses. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Every special range (private, loopback, link-local, CGNAT, multicast, 6to4, Teredo, NAT64, …) is refused. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // process() turns ::ffff:10.0.0.1 into 10.0.0.1, so the embedded address is what counts.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6))
}

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
  constructor(host: string) {
    super(`${host} is no public address`)
  }
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const refused = addresses.find(({ address }) => !isPublicAddress(address))
    if (refused) return callback(new PrivateAddressError(`${hostname} (${refused.address})`), [])
    const first = addresses[0]
    if (options.all || !first) return callback(null, addresses)
    callback(null, first.address, first.family)
  })
}

/**
 * allowPrivate: for development, where the receiver is on this machine. How many connections there are is not bounded
 * here but by the attempts under way (lanes.ts): tenants that share a host would wait for one another's.
 */
export function webhookAgent(allowPrivate: boolean): Agent {
  // A session of HTTP/2 that went silent would be used again and again: an attempt that is given up ends its stream only.
  const pool = { connections: null, keepAliveTimeout: 10_000, maxResponseSize: -1, allowH2: false }
  if (allowPrivate) return new Agent({ ...pool, connect: { timeout: 10_000 } })
  const connect = buildConnector({ timeout: 10_000, lookup: publicLookup, allowH2: false })
  return new Agent({
    ...pool,
    connect: (options, callback) => {
      // An address written into the URL is connected to without a look-up.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(new PrivateAddressError(host), null)
      connect(options, callback)
    },
  })
}

/**
 * A callback URL as it may be stored. Returns what is wrong with it, or undefined. Names are judged again at
 * each connection; this only tells the person who enters it early.
 */
export function callbackUrlFault(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return 'must begin with https://'
  if (url.username || url.password) return 'must not carry a user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (allowPrivate) return undefined
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'must not name a private or reserved address'
  if (/(^|\.)localhost\.?$/i.test(host)) return 'must not name this machine'
  return undefined
}
