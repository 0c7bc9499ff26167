// Opens the connections for webhooks. A receiver's address is checked when connecting, after DNS: a name that resolved
// to a public address when the URL was entered may resolve to 127.0.0.1 now.

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

/** Rejects the name if any of its addresses is private: a legitimate receiver never has both kinds. */
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
 * allowPrivate: for development, where the receiver is on this machine. The number of connections is limited only by
 * the attempts in flight (lanes.ts): with a limit per host, tenants that share a host would wait for each other.
 */
export function webhookAgent(allowPrivate: boolean, resolve: ResolveName = nameResolver()): Agent {
  // With HTTP/2, a stalled session would be reused for later attempts, because a timeout ends only its own stream.
  const pool = { connections: null, keepAliveTimeout: 10_000, maxResponseSize: -1, allowH2: false }
  if (allowPrivate) return new Agent({ ...pool, connect: { timeout: 10_000 } })
  const connect = buildConnector({ timeout: 10_000, lookup: publicLookup(resolve), allowH2: false })
  return new Agent({
    ...pool,
    connect: (options, callback) => {
      // An IP address in the URL is used without a lookup, so it is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(new PrivateAddressError(host), null)
      connect(options, callback)
    },
  })
}
