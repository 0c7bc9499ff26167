// Finds this service's public IPv4 address. Some providers require the payer's IP address. For a payment without
// a payer IP address, the service sends its own address instead.

import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The maximum duration of the DNS query for the service's own IP address. The address is needed only if a request
 * contains no IP address of the payer, so the startup does not wait for a second query.
 */
const DNS_TIMEOUT_MS = 1_000

type Resolve = (host: string) => Promise<string[]>

/**
 * Returns the IPv4 address of the host in the service's URL. Returns undefined if the host has no public address or DNS
 * does not respond.
 */
export async function publicIpOf(publicUrl: string, resolve: Resolve = ask): Promise<string | undefined> {
  const { hostname } = new URL(publicUrl)
  const addresses = isIPv4(hostname) ? [hostname] : await resolve(hostname).catch(() => [])
  return addresses.find(address => ipaddr.IPv4.parse(address).range() === 'unicast')
}

const ask: Resolve = host => new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 }).resolve4(host)
