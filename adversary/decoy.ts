// Starts the decoy, a server that accepts requests but does no work. In control intervals, the attacker sends its
// requests to the decoy instead of the service. The load on the machine is then the same as during an attack.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The size in bytes of each large response that the decoy sends. The decoy is a server that receives the attacker's
 * requests instead of the service. It sends large responses at the rate that the service allows one tenant
 * (large-read-limit.ts).
 */
const LARGE_BYTES = 512 * 1024
const LARGE_EVERY_MS = 125

export async function startDecoy(): Promise<{ url: string; stop(): Promise<void> }> {
  const child: ChildProcess = fork(import.meta.filename, { stdio: 'inherit', execArgv: [] })
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

if (process.argv[1] === import.meta.filename) {
  const large = Buffer.alloc(LARGE_BYTES, 'x')
  let nextLarge = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for await (const _ of request) {
      // This loop waits for the end of the request body. If the body never ends, the request stays open.
    }
    const isLarge = request.url?.includes('limit=100') || request.headers.accept === 'application/x-ndjson'
    if (!isLarge) return void response.writeHead(404).end('{}')
    nextLarge = Math.max(Date.now(), nextLarge) + LARGE_EVERY_MS
    await pause(nextLarge - Date.now())
    response.end(large)
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => {}))
  server.listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  )
  process.on('disconnect', () => process.exit())
}
