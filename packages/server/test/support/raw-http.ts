// Sends raw bytes to the service, as an attacker would. An HTTP client cannot be used, because it would
// correct invalid requests before it sends them.

import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Sends the parts one after the other and returns all responses received until the server closes the connection.
 */
export async function exchange(url: string, ...parts: (string | Buffer)[]): Promise<RawAnswer[]> {
  const { port, hostname } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, noDelay: true })
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(Buffer.from(chunk)))
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()).on('error', () => {}))
  for (const part of parts) await new Promise(resolve => socket.write(part, resolve))
  await closed
  return answersIn(Buffer.concat(chunks).toString('latin1'))
}

/** Returns the head of a request: the given lines plus the headers `Host` and `Connection: close`. */
export const head = (...lines: string[]): string =>
  `${[...lines, 'Host: gapura', 'Connection: close'].join('\r\n')}\r\n\r\n`

/**
 * Splits the text into responses. A body's length is its Content-Length. Responses to HEAD and those with status
 * 1xx, 204, or 304 have no body.
 */
function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map(line => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
    const length = status < 200 ? 0 : Number(headers['content-length'] ?? 0)
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
