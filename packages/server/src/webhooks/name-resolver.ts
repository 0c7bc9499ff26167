// Receivers' names are looked up without libuv's threads. There are four of them, dns.lookup holds one until the name's
// server has answered, and passwords are hashed on the same ones: a tenant's server that hangs would stop log-ins.

import { type LookupAddress, promises } from 'node:dns'

/** Of one question to one server; the second try waits longer. */
const QUERY_TIMEOUT_MS = 2_000
const TRIES = 2
/** Of all questions to all servers: half of what an attempt has (deliver-webhooks.ts). */
const LOOKUP_TIMEOUT_MS = 5_000

/** Never empty. Rejects with ENOTFOUND where there is no such name, and with EAI_AGAIN where nobody could say. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>

type Options = { servers?: string[] | undefined; timeoutMs?: number }

/**
 * Asks the machine's name servers, not /etc/hosts. Those who ask for one name at the same time share the answer, so
 * there are at most as many look-ups as attempts (PLACES in lanes.ts); nothing is kept beyond that.
 */
export function nameResolver({ servers, timeoutMs = LOOKUP_TIMEOUT_MS }: Options = {}): ResolveName {
  const underWay = new Map<string, Promise<LookupAddress[]>>()
  return name => {
    const asked = underWay.get(name)
    if (asked) return asked
    const lookup = lookUp(name, servers, timeoutMs).finally(() => underWay.delete(name))
    underWay.set(name, lookup)
    return lookup
  }
}

/** With a resolver of its own: giving up ends these questions and no others, and changed name servers are noticed. */
async function lookUp(
  name: string,
  servers: string[] | undefined,
  timeoutMs: number,
): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  // A machine without IPv6 finds out at the first address, one without IPv4 as fast.
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map(address => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  )
  if (addresses.length > 0) return addresses
  throw failureOf(
    name,
    answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : [])),
  )
}

/** No such name, a name without an address, no name at all. */
const hasNone = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** By the codes of getaddrinfo, which those who read attempts know. */
function failureOf(name: string, reasons: NodeJS.ErrnoException[]): Error {
  const unanswered = reasons.find(({ code }) => !hasNone.has(code ?? ''))
  const code = unanswered ? 'EAI_AGAIN' : 'ENOTFOUND'
  return Object.assign(
    new Error(`the address of ${name} ${unanswered ? 'could not be looked up' : 'is unknown'}`),
    {
      code,
      cause: unanswered ?? reasons[0],
    },
  )
}
