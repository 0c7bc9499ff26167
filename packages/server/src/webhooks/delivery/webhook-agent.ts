// Opens connections for webhooks. Each connection checks the receiver's address after the DNS lookup. Checking when
// the URL is stored is not enough, because the tenant could later point the host name at 127.0.0.1.

import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { nameResolver, type ResolveName } from './name-resolver.ts'
import { isPublicAddress, isThisMachine } from './public-address.ts'

/**
 * How long an idle connection stays open for the next webhook. A receiver may shorten this time but not extend it. By
 * default, undici would keep a connection for up to 10 minutes if the receiver's Keep-Alive header requests this. One
 * tenant's receivers could then occupy thousands of sockets.
 */
const KEEP_ALIVE_MS = 10_000

/**
 * The timeouts for opening a connection. Node tries a receiver's addresses one after the other. By default, it closes
 * an attempt after 0.5 s to try the next address. On a machine without IPv6, the next attempt fails. A receiver that
 * needs a second to accept a connection would therefore never be reached.
 */
const connecting = { timeout: 10_000, autoSelectFamilyAttemptTimeout: 4_000 }

/**
 * The error's message names the address, so it is only for the operator's log. The text for the tenant is in
 * send-webhook.ts.
 */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
  constructor(host: string) {
    super(`${host} is not a public address`)
  }
}

/**
 * Returns the function that looks up a receiver's host name. The function rejects names with any private address,
 * because a real receiver never has both public and private addresses.
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
 * Returns the HTTP agent for webhooks. Use `allowPrivate` only in development. The number of connections per
 * host is not limited, because a limit would make tenants that share a host wait for each other. Instead,
 * tenant-queues.ts limits each tenant's attempts.
 */
export function webhookAgent(allowPrivate: boolean, resolve: ResolveName = nameResolver()): Agent {
  // HTTP/2 is not used, because all webhook delivery attempts to one host would then share a connection. If this
  // connection stalled, a timeout would end only one attempt, and later attempts would reuse the stalled connection.
  const pool = {
    ...{ connections: null, maxResponseSize: -1, allowH2: false },
    ...{ keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS },
  }
  if (allowPrivate) return new Agent({ ...pool, connect: connecting })
  const connect = buildConnector({ ...connecting, lookup: publicLookup(resolve), allowH2: false })
  return new Agent({
    ...pool,
    connect: (options, callback) => {
      // An IP address in the URL needs no DNS lookup, so it is checked here instead of after the lookup.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(new PrivateAddressError(host), null)
      connect(options, callback)
    },
  })
}
