// Warns the operator once if X-Forwarded-For headers suggest that a load balancer is missing from
// GAPURA_TRUSTED_PROXIES. If it is missing, all callers behind the load balancer seem to have the same IP address, so
// they share the limits of this address.

import type { Logger } from '../logging/log.ts'
import type { ClientAddress } from './client-address.ts'

/**
 * The number of different X-Forwarded-For headers after which the service warns that it may be behind a load balancer.
 * A single caller sends only a few different headers, but a load balancer sends one for each client.
 */
const ADDRESSES_BEFORE_WARNING = 20

/**
 * Returns a function with the same results as `addressOf`, which trusts no proxy. In addition, the function
 * logs one warning if the requests seem to come from a load balancer.
 */
export function warnOfUntrustedProxy(addressOf: ClientAddress, log: Pick<Logger, 'warn'>): ClientAddress {
  const seen = new Set<string>()
  return request => {
    const forwardedFor = request.headers['x-forwarded-for']?.toString()
    if (forwardedFor !== undefined && seen.size < ADDRESSES_BEFORE_WARNING) {
      seen.add(forwardedFor)
      if (seen.size === ADDRESSES_BEFORE_WARNING)
        log.warn(
          { remoteAddress: request.socket.remoteAddress, addresses: seen.size },
          'X-Forwarded-For headers are ignored because GAPURA_TRUSTED_PROXIES is not set; if a load balancer adds them, add its address there, or all its clients count as one IP address',
        )
    }
    return addressOf(request)
  }
}
