// Chooses the value of the header X-IP-ADDRESS for an e-wallet payment: the payer's address, this service's
// address or a placeholder.

import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Charge } from '../provider.ts'

/**
 * The allowed length of X-IP-ADDRESS. DOKU's Node, Java, Go and Python clients reject any other length
 * (doku-nodejs-library _commons/validateHeader.js).
 */
const CHARACTERS = { min: 10, max: 15 }

/**
 * The address to send if neither the payer's nor the service's address can be used. No payer has this address,
 * because RFC 5737 reserves it for documentation.
 */
const NO_ADDRESS = '203.0.113.1'

/**
 * Returns the payer's IP address or, if that cannot be sent, this service's IP address. IPv6 addresses and short IPv4
 * addresses such as 8.8.8.8 are not returned, because DOKU rejects their length.
 */
export function ipAddressOf({ customerIp, serviceIp }: Pick<Charge, 'customerIp' | 'serviceIp'>): string {
  return [customerIp, serviceIp].flatMap(address => asIPv4(address) ?? []).find(fits) ?? NO_ADDRESS
}

const fits = ({ length }: string): boolean => length >= CHARACTERS.min && length <= CHARACTERS.max

/**
 * Converts an address to IPv4, or returns undefined. A server that listens on IPv6 sees an IPv4 payer as
 * ::ffff:198.51.100.27.
 */
function asIPv4(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const plain = ipaddr.process(address).toString()
  return isIPv4(plain) ? plain : undefined
}
