// The connections that webhooks go out by. A receiver's address is judged where the connection is made, after DNS: a
// name that resolved well when the URL was entered may resolve to 127.0.0.1 now.

import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { nameResolver, type ResolveName } from './name-resolver.ts'
import { isPublicAddress, isThisMachine } from './public-address.ts'

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
  constructor(host: string) {
    super(`${host} is no public address`)
  }
}

/** One private address among several is enough to refuse: no receiver has both. */
const publicLookup =
  (resolve: ResolveName): LookupFunction =>
  (hostname, { all }, callback) => {
    if (isThisMachine(hostname)) return callback(new PrivateAddressError(hostname), [])
    resolve(hostname).then(
      addresses => {
        const refused = addresses.find(({ address }) => !isPublicAddress(address))
        if (refused) return callback(new PrivateAddressError(`${hostname} (${refused.address})`), [])
        const [first] = addresses
        if (all || !first) return callback(null, addresses)
        callback(null, first.address, first.family)
      },
      error => callback(error, []),
    )
  }

/**
 * allowPrivate: for development, where the receiver is on this machine. How many connections there are is not bounded
 * here but by the attempts under way (lanes.ts): tenants that share a host would wait for one another's.
 */
export function webhookAgent(allowPrivate: boolean, resolve: ResolveName = nameResolver()): Agent {
  // A session of HTTP/2 that went silent would be used again and again: an attempt that is given up ends its stream only.
  const pool = { connections: null, keepAliveTimeout: 10_000, maxResponseSize: -1, allowH2: false }
  if (allowPrivate) return new Agent({ ...pool, connect: { timeout: 10_000 } })
  const connect = buildConnector({ timeout: 10_000, lookup: publicLookup(resolve), allowH2: false })
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
