// Resolves receivers' host names without libuv's thread pool. Node's dns.lookup would block one of the pool's four
// threads until the name server responds. Password hashing uses the same threads, so a tenant's hanging name server
// could block logins.

import { type LookupAddress, promises } from 'node:dns'

/** The timeout for the first DNS query. If the query is repeated, the second one has a longer timeout. */
const QUERY_TIMEOUT_MS = 2_000
const TRIES = 2
/**
 * The time limit for a lookup, including all its queries. It is half the time limit for a webhook delivery attempt
 * (lease.ts).
 */
const LOOKUP_TIMEOUT_MS = 5_000

/**
 * Returns at least one address for a host name. Rejects with ENOTFOUND if the name does not exist, and with EAI_AGAIN
 * if no name server returned an answer.
 */
export type ResolveName = (name: string) => Promise<LookupAddress[]>

type Options = { servers?: string[] | undefined; timeoutMs?: number }

/**
 * Returns a resolver that queries the machine's name servers and ignores /etc/hosts. Concurrent lookups of one name
 * share a result, so there are never more lookups than delivery attempts (SLOTS in tenant-queues.ts). Results are
 * not cached.
 */
export function nameResolver({ servers, timeoutMs = LOOKUP_TIMEOUT_MS }: Options = {}): ResolveName {
  const inFlight = new Map<string, Promise<LookupAddress[]>>()
  return name => {
    const pending = inFlight.get(name)
    if (pending) return pending
    const lookup = lookUp(name, servers, timeoutMs).finally(() => inFlight.delete(name))
    inFlight.set(name, lookup)
    return lookup
  }
}

/**
 * Looks up a name with a new resolver. Lookups must not share a resolver, because the timeout of one lookup cancels
 * all queries of its resolver. In addition, a new resolver reads the machine's current list of name servers.
 */
async function lookUp(
  name: string,
  servers: string[] | undefined,
  timeoutMs: number,
): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  // Returns both IPv4 and IPv6 addresses. If the machine supports only one of these protocols, connections over the
  // other protocol fail immediately.
  const addresses = results.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map(address => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  )
  if (addresses.length > 0) return addresses
  throw failureOf(
    name,
    results.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : [])),
  )
}

/** Error codes for a name that does not exist, has no address, or is invalid. */
const notFoundCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Returns the error for a failed lookup. The error has the same code as an error of getaddrinfo, so that callers can
 * handle both errors in the same way.
 */
function failureOf(name: string, reasons: NodeJS.ErrnoException[]): Error {
  const unresolved = reasons.find(({ code }) => !notFoundCodes.has(code ?? ''))
  const code = unresolved ? 'EAI_AGAIN' : 'ENOTFOUND'
  return Object.assign(
    new Error(`the address of ${name} ${unresolved ? 'could not be looked up' : 'is unknown'}`),
    {
      code,
      cause: unresolved ?? reasons[0],
    },
  )
}
