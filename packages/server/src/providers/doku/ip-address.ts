// Chooses the X-IP-ADDRESS of a wallet payment.

import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Charge } from '../provider.ts'

/**
 * DOKU's Node, Java, Go and Python clients reject any other length (doku-nodejs-library _commons/validateHeader.js).
 */
const CHARACTERS = { min: 10, max: 15 }

/** Reserved for documentation (RFC 5737), so it is never a payer's address. */
const NO_ADDRESS = '203.0.113.1'

/** The payer's address, otherwise the service's. IPv6 and short addresses such as 8.8.8.8 do not fit. */
export function ipAddressOf({ customerIp, serviceIp }: Pick<Charge, 'customerIp' | 'serviceIp'>): string {
  return [customerIp, serviceIp].flatMap(address => asIPv4(address) ?? []).find(fits) ?? NO_ADDRESS
}

const fits = ({ length }: string): boolean => length >= CHARACTERS.min && length <= CHARACTERS.max

/** Servers that listen on IPv6 see an IPv4 payer as ::ffff:198.51.100.27. */
function asIPv4(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const plain = ipaddr.process(address).toString()
  return isIPv4(plain) ? plain : undefined
}
