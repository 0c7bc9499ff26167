import { expect, test } from 'vitest'
import { ConnectionUrlError, serversOfUrl } from './connection-url.ts'

const primary = 'target_session_attrs=read-write'

test.each([
  ['a host', 'postgres://gapura@db/gapura'],
  ['a host and a port', 'postgres://gapura:pass%2Cword@db:6432/gapura?sslmode=verify-full'],
  ['the directory of a Unix socket', 'postgres://gapura@localhost/gapura?host=/run/postgresql'],
  ['a host, with an encoded password', 'postgres://gapura:%23%2F%3F@db:5432/gapura'],
  ['a host, with an @ in a parameter', 'postgres://db:5432/gapura?user=gapura@db'],
  ['a host, for any kind of server', 'postgres://gapura@db/gapura?target_session_attrs=any'],
])(
  'a connection URL that names one server by %s is left to node-postgres and not split into several servers',
  (_, url) => {
    expect(serversOfUrl(url)).toBeUndefined()
  },
)

test.each([
  ['postgres://db-1,db-2/gapura', ['db-1', 5432], ['db-2', 5432]],
  ['postgres://db-1:5433,db-2/gapura', ['db-1', 5433], ['db-2', 5432]],
  ['postgresql://[2001:db8::1]:5433,[2001:db8::2]/gapura', ['2001:db8::1', 5433], ['2001:db8::2', 5432]],
  ['postgres://%2Frun%2Fone,%2Frun%2Ftwo/gapura', ['/run/one', 5432], ['/run/two', 5432]],
  ['postgres:///gapura?host=db-1,db-2&port=5433,5434', ['db-1', 5433], ['db-2', 5434]],
  ['postgres:///gapura?host=db-1,db-2&port=5433', ['db-1', 5433], ['db-2', 5433]],
  ['postgres://db/gapura', ['db', 5432]],
])(
  "from the connection URL %s, the service reads the same database servers as libpq, PostgreSQL's client library",
  (url, ...servers) => {
    const found = serversOfUrl(`${url}${url.includes('?') ? '&' : '?'}${primary}`)
    expect(found?.servers).toEqual(servers.map(([host, port]) => ({ host, port })))
  },
)

test('a connection URL with several database servers keeps its user, password, database, and settings', () => {
  const url = `postgres://ga%40pura:p%2Fw,x@db-1,db-2/gapura?sslmode=verify-full&${primary}&statement_timeout=1000`
  expect(serversOfUrl(url)?.url).toBe(
    'postgres://ga%40pura:p%2Fw,x@localhost/gapura?sslmode=verify-full&statement_timeout=1000',
  )
})

test.each([
  [
    'postgres://db-1,db-2/gapura',
    'several servers require target_session_attrs=read-write, so that the service uses the primary',
  ],
  [
    'postgres://db-1,db-2/gapura?target_session_attrs=standby',
    'target_session_attrs must be read-write, because the service writes (got standby)',
  ],
  [
    `postgres:///gapura?host=a,b,c&port=1,2&${primary}`,
    'there must be one port, or one port for each of the 3 servers (got 2 ports)',
  ],
  [`postgres://db-1:http,db-2/gapura?${primary}`, 'port must be a number from 1 to 65535'],
])(
  'an invalid connection URL is rejected with an error that describes the required change: %s',
  (url, message) => {
    expect(() => serversOfUrl(url)).toThrow(new ConnectionUrlError(message))
  },
)
