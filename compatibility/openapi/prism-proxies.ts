// Starts a proxy for each service in a test run, with the OpenAPI tool Prism. Tests send their requests through the
// proxy. The response header `sl-violations` lists where a request or its response differs from the OpenAPI document.
// One process runs all proxies, because compiling the document's schemas takes a long time.
//
// The server's tests (support/contract-proxy) start this process and read its URL. A request to this URL with `GET
// /?upstream=http://127.0.0.1:8080` starts a proxy for the service at the given address. The response is the proxy's
// URL.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer as createPrism } from '@stoplight/prism-http-server'
import { closedDocument } from '../../packages/server/test/support/closed-document.ts'

const document = await readFile(new URL('../../openapi/openapi.json', import.meta.url), 'utf8')
const operations = await getHttpOperationsFromSpec(closedDocument(JSON.parse(document)))
const logger = createLogger('prism', { level: 'silent' })
const proxies = new Map<string, Promise<string>>()

/**
 * Starts the same validating proxy as the command
 * `prism proxy <document> <upstream> --errors=false --cors=false`.
 */
const startProxy = (upstream: string): Promise<string> =>
  createPrism(operations, {
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
    components: { logger },
  }).listen(0, '127.0.0.1')

const control = createServer(async (request, response) => {
  const upstream = new URL(request.url ?? '', 'http://control').searchParams.get('upstream') ?? ''
  const proxy = proxies.get(upstream) ?? startProxy(upstream)
  proxies.set(upstream, proxy)
  response.end(await proxy)
})
control.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(control.address() as AddressInfo).port}` }),
)
process.once('disconnect', () => process.exit())
