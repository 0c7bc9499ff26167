import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a receiver that responds to every request with 200 and does not keep the process alive. */
export async function receiverUrl(): Promise<string> {
  const server = createServer((request, response) => {
    response.sendDate = false
    request
      .resume()
      .on('end', () =>
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('ok'),
      )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
