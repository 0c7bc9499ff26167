// Parses a connection URL that names several servers, as libpq (PostgreSQL's C library) does:
//
//   postgres://gapura@db-1,db-2:5433/gapura?target_session_attrs=read-write
//
// This parser for URLs with several database servers is needed because node-postgres 8 accepts only one
// server per URL (https://github.com/brianc/node-postgres/pull/3643 is open).

export type DatabaseServer = { host: string; port: number }

/**
 * The servers in a connection URL. One of them is the primary, which accepts writes. `url` is the connection URL
 * without the servers.
 */
export type ServersOfUrl = { servers: DatabaseServer[]; url: string }

export class ConnectionUrlError extends Error {
  override name = 'ConnectionUrlError'
}

/**
 * The message for a URL that cannot be parsed. It contains no part of the URL, because any part could belong to the
 * password.
 */
export const NOT_ENCODED =
  'is not a valid URL; percent-encode special characters in the user and the password, such as # (%23), / (%2F), ? (%3F), @ (%40) and % (%25)'

const DEFAULT_PORT = '5432'

/** Splits a URL into the scheme, the user and password, the hosts, the path, and the parameters. */
const FORMAT = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/

/**
 * Returns the servers in a connection URL with `target_session_attrs=read-write`, or undefined if the URL names only
 * one server and has no such setting. Throws ConnectionUrlError for a URL that the service cannot use.
 */
export function serversOfUrl(text: string): ServersOfUrl | undefined {
  const [, scheme = '', user = '', authority = '', path = '', query = ''] = FORMAT.exec(text) ?? []
  if (text.includes('#') || isCutOff(user, authority, path + query.split('=')[0]))
    throw new ConnectionUrlError(NOT_ENCODED)
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs') ?? 'any'
  const named = authority.split(',').map(readHostAndPort)
  const hosts = parameters.get('host')?.split(',') ?? named.map(({ host }) => host)
  if (hosts.length === 1 && wanted === 'any') {
    portOf(parameters.get('port') ?? named[0]?.port)
    return undefined
  }
  if (wanted === 'any')
    throw new ConnectionUrlError(
      'several servers require target_session_attrs=read-write, so that the service uses the primary',
    )
  if (wanted !== 'read-write')
    throw new ConnectionUrlError(
      `target_session_attrs must be read-write, because the service writes (got ${wanted})`,
    )
  const ports = parameters.get('port')?.split(',') ?? named.map(({ port }) => port)
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new ConnectionUrlError(
      `there must be one port, or one port for each of the ${hosts.length} servers (got ${ports.length} ports)`,
    )
  const servers = hosts.map((host, n) => ({
    host,
    port: portOf(ports.length === 1 ? ports[0] : ports[n]),
  }))
  for (const name of ['target_session_attrs', 'host', 'port']) parameters.delete(name)
  return { servers, url: `${scheme}${user}localhost${path}${parameters.size > 0 ? `?${parameters}` : ''}` }
}

/**
 * Returns whether the URL was split too early, at an unencoded slash or question mark in the password. In this case,
 * the authority contains only the user and the start of the password. The rest contains the @ before the host.
 */
const isCutOff = (user: string, authority: string, rest: string): boolean =>
  !user.includes(':') && authority.includes(':') && rest.includes('@')

/** Splits `host:port`. IPv6 addresses are in brackets, and Unix socket directories are percent-encoded. */
function readHostAndPort(text: string): { host: string; port: string } {
  const [, address, name = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? []
  return { host: address ?? decodeURIComponent(name), port }
}

/**
 * Returns the port in `text`. The error does not quote `text`, because `text` is the password if the URL lacks
 * a host.
 */
function portOf(text = ''): number {
  const port = Number(text || DEFAULT_PORT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new ConnectionUrlError('port must be a number from 1 to 65535')
  return port
}
