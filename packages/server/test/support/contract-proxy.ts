// In the contract run (vitest.contract.config.ts), requests to /v1 go through Prism, a proxy that compares
// them with the API document. An undocumented response fails its test. In other runs, this module does
// nothing.

import { inject } from 'vitest'
import { operationAt } from './contract.ts'
import { faultsOf } from './violations.ts'

export type Sent = { url: string; headers: Record<string, string>; body: string | Buffer | undefined }

const proxies = new Map<string, Promise<string>>()

/**
 * The responses that this test file received through the proxy, each as operation and status, such as `getPayment 200`.
 */
export const reached = new Set<string>()

/**
 * Returns the URL and headers for a request. The URL points to a Prism proxy if Prism can forward the request, and
 * otherwise to the service.
 */
export async function contractRoute(sent: Sent): Promise<Pick<Sent, 'url' | 'headers'>> {
  const control = inject('contractProxy')
  if (!control || reasonToGoDirectly(sent)) return sent
  const { origin } = new URL(sent.url)
  const proxy = proxies.get(origin) ?? askFor(control, origin)
  proxies.set(origin, proxy)
  // Each request uses a new connection to Prism, because Prism closes a connection after five idle seconds,
  // possibly just as the next request is sent.
  return {
    url: sent.url.replace(origin, await proxy),
    headers: { ...sent.headers, connection: 'close' },
  }
}

async function askFor(control: string, upstream: string): Promise<string> {
  const response = await fetch(`${control}/?upstream=${encodeURIComponent(upstream)}`)
  return response.text()
}

/**
 * Returns the reason why a request must bypass the proxy Prism, or undefined if the request can go through Prism. Prism
 * changes the encoding of JSON bodies and rejects bodies that it cannot parse. Bypassing Prism loses no check, because
 * the API document does not describe such requests.
 */
export function reasonToGoDirectly({ url, headers, body }: Sent): string | undefined {
  const { pathname } = new URL(url)
  const contentType = headers['content-type']
  if (!pathname.startsWith('/v1/')) return "the request's path is not part of the API"
  if (pathname.startsWith('/v1/callbacks/'))
    return "the validation proxy Prism could change the bytes of the callback, and the provider's signature would become invalid"
  if (!isDecodable(pathname)) return 'Prism exits when it receives a path that cannot be decoded'
  if (body === undefined) return undefined
  if (contentType !== undefined && !/^[\w.+-]+\/[\w.+-]+/.test(contentType)) return 'no media type'
  const text = body.toString()
  if (typeof body !== 'string' && !body.equals(Buffer.from(text))) return 'no UTF-8'
  if (/[/+]json/.test(contentType ?? '') && !isContainer(text))
    return 'the body is neither a JSON object nor an array'
  return undefined
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function isContainer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** Throws if Prism found an undocumented response, or an undocumented request that succeeded. */
export function holdAgainstContract(method: string, url: string, response: Response): void {
  if (!response.url.startsWith(new URL(url).origin))
    reached.add(`${operationAt(method, url)?.operation.operationId} ${response.status}`)
  const faults = faultsOf(response.status, response.headers)
  if (faults.length === 0) return
  const { pathname } = new URL(url)
  throw new Error(
    `${method} ${pathname} (status ${response.status}) does not match the API document:\n${faults.join('\n')}`,
  )
}
