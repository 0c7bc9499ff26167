// Warns the operator once about a load balancer that is missing from GAPURA_TRUSTED_PROXIES. All callers behind it seem
// to have one address and share its limits.

import type { Logger } from '../logging/log.ts'
import type { ClientAddress } from './client-address.ts'

/**
 * The number of different X-Forwarded-For headers that causes a warning. A single caller sends few. A load
 * balancer sends one for each client.
 */
const ADDRESSES_BEFORE_WARNING = 20

/**
 * Wraps `addressOf`, which trusts no proxy. The returned function returns the same addresses, and logs a
 * warning once if a load balancer seems to send the requests.
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
