// The public IPv4 address of this service, for providers that demand an address of the payer and get none.

import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Of one attempt. A start is not held up for an address that only stands in for another one. */
const DNS_TIMEOUT_MS = 1_000

type Resolve = (host: string) => Promise<string[]>

/** Of the host in the service's URL. Undefined where that has no public one, or DNS does not answer. */
export async function publicIpOf(publicUrl: string, resolve: Resolve = ask): Promise<string | undefined> {
  const { hostname } = new URL(publicUrl)
  const addresses = isIPv4(hostname) ? [hostname] : await resolve(hostname).catch(() => [])
  return addresses.find(address => ipaddr.IPv4.parse(address).range() === 'unicast')
}

const ask: Resolve = host => new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 }).resolve4(host)
