// The allow-list of an account: where its callbacks may come from.

import ipaddr from 'ipaddr.js'

/** networks: in CIDR notation; without any, every address is allowed. address: undefined where it is not known. */
export function isAllowedSource(networks: readonly string[], address: string | undefined): boolean {
  if (networks.length === 0) return true
  if (address === undefined || !ipaddr.isValid(address)) return false
  // process: an IPv4 caller of an IPv6 socket is written ::ffff:192.0.2.1.
  const source = ipaddr.process(address)
  return networks.some(each => {
    const [network, bits] = ipaddr.parseCIDR(each)
    return network.kind() === source.kind() && source.match([network, bits])
  })
}
