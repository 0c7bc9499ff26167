// Opens the connections for webhooks. A receiver's address is checked when the connection is opened, after the DNS
// lookup: a name that resolved to a public address when the URL was entered may resolve to 127.0.0.1 now.

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

/**
 * Looks up a name and rejects it if any of its addresses is private. A legitimate receiver never has both public and
 * private addresses.
 */
const publicLookup =
  (resolve: ResolveName): LookupFunction =>
  (hostname, { all }, callback) => {
    if (isThisMachine(hostname)) return callback(new PrivateAddressError(hostname), [])
    resolve(hostname).then(
      addresses => {
        const privateAddress = addresses.find(({ address }) => !isPublicAddress(address))
        if (privateAddress)
          return callback(new PrivateAddressError(`${hostname} (${privateAddress.address})`), [])
        const [first] = addresses
        if (all || !first) return callback(null, addresses)
        callback(null, first.address, first.family)
      },
      error => callback(error, []),
    )
  }

/**
 * Returns the HTTP agent for deliveries. `allowPrivate` is for development, where the receiver is on this machine. Only
 * the number of attempts in flight (tenant-queues.ts) limits the number of connections: with a limit per host, tenants
 * that share a host would wait for each other.
 */
export function webhookAgent(allowPrivate: boolean, resolve: ResolveName = nameResolver()): Agent {
  // HTTP/2 is off: a timeout ends only the stream of one attempt, so later attempts would reuse a stalled session.
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
