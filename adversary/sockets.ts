// Opens connections that each send the start of a request and then wait. Closed connections are reopened, by
// default at most a hundred per second. At a higher rate, the test would only measure how fast this machine
// opens connections.

import { connect, type Socket } from 'node:net'
import type { Target } from './world.ts'

type Held = {
  count: number
  /**
   * Returns the text that the attacker sends as soon as connection number `n` is open, for example the start
   * of a request.
   */
  begin: (n: number) => string
  /** The text that each connection sends repeatedly until the server closes the connection. */
  drip?: { text: () => string; everyMs: number }
  /**
   * Returns the local IP address from which connection number `n` is opened. By default, all connections are opened
   * from the same address.
   */
  from?: (n: number) => string
  /** If true, the attacker never reads the responses on these connections. */
  deaf?: boolean
  reopenedPerSecond?: number
}

const REOPENED_PER_SECOND = 100

export function holdOpen(
  { url, scale }: Pick<Target, 'url' | 'scale'>,
  {
    count,
    begin,
    drip,
    from = () => '127.0.0.1',
    deaf = false,
    reopenedPerSecond = REOPENED_PER_SECOND,
  }: Held,
): void {
  const { port, hostname } = new URL(url)
  const closed: number[] = []
  const open = (n: number): void => {
    const socket: Socket = connect({
      port: Number(port),
      host: hostname,
      localAddress: from(n),
      noDelay: true,
    })
    const dripping =
      drip && setInterval(() => socket.writable && void socket.write(drip.text()), drip.everyMs)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(dripping)
      closed.push(n)
    })
    if (deaf) socket.pause()
    else socket.resume()
    socket.write(begin(n))
  }
  for (let n = 0; n < count * scale; n++) open(n)
  setInterval(() => {
    const next = closed.shift()
    if (next !== undefined) open(next)
  }, 1_000 / reopenedPerSecond)
}

type Part = {
  method?: string
  path: string
  headers?: string[]
  length?: number
  version?: string
  body?: string
}

/** Returns the headers and the start of the body of a request. The rest of the body is never sent. */
export const unfinished = ({
  method = 'POST',
  path,
  headers = [],
  length = 100,
  version = '1.1',
  body = '{',
}: Part) =>
  [
    `${method} ${path} HTTP/${version}`,
    'Host: gapura',
    'Content-Type: application/json',
    ...(length > 0 ? [`Content-Length: ${length}`] : ['Transfer-Encoding: chunked']),
    ...headers,
    '',
    length > 0 ? body : `${body.length.toString(16)}\r\n${body}\r\n`,
  ].join('\r\n')
