// Warns the operator once about a load balancer that is missing from GAPURA_TRUSTED_PROXIES. Without this setting,
// all callers behind it appear to have one address and share its limits.

import type { Logger } from '../logging/log.ts'
import type { ClientAddress } from './client-address.ts'

/**
 * The number of different X-Forwarded-For headers that triggers the warning. A single caller sends few, but a load
 * balancer sends one for each client.
 */
const ADDRESSES_BEFORE_WARNING = 20

/**
 * Wraps `addressOf`, which trusts no proxy. The returned function returns the same addresses, and logs one warning
 * if the requests seem to come from a load balancer.
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
