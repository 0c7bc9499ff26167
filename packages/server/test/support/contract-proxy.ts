// In a run that provides a contract proxy (vitest.contract.config.ts), what journeys send to /v1 goes through Prism,
// and an answer that is not as the document says fails the test that asked for it. In any other run nothing of this
// happens.

import { inject } from 'vitest'
import { faultsOf } from './violations.ts'

export type Sent = { url: string; headers: Record<string, string>; body: string | Buffer | undefined }

const proxies = new Map<string, Promise<string>>()

/** Requests of this test file that went through. */
export let passed = 0

/** Where to send a request, and with what: to the proxy of its service, or where it was meant to go. */
export async function contractRoute(sent: Sent): Promise<Pick<Sent, 'url' | 'headers'>> {
  const control = inject('contractProxy')
  if (!control || reasonToGoDirectly(sent)) return sent
  passed++
  const { origin } = new URL(sent.url)
  const proxy = proxies.get(origin) ?? askFor(control, origin)
  proxies.set(origin, proxy)
  // Prism closes a connection that was idle for five seconds, at times just when the next request comes over it.
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
 * What Prism cannot carry: it reads a JSON body and writes it anew, and answers itself where it cannot read one. None
 * of these is a request that the document describes.
 */
export function reasonToGoDirectly({ url, headers, body }: Sent): string | undefined {
  const { pathname } = new URL(url)
  const contentType = headers['content-type']
  if (!pathname.startsWith('/v1/')) return 'not part of the API'
  if (pathname.startsWith('/v1/callbacks/')) return 'a provider signs the bytes of its callback'
  if (!isDecodable(pathname)) return 'Prism ends over a path that cannot be decoded'
  if (body === undefined) return undefined
  if (contentType !== undefined && !/^[\w.+-]+\/[\w.+-]+/.test(contentType)) return 'no media type'
  const text = body.toString()
  if (typeof body !== 'string' && !body.equals(Buffer.from(text))) return 'no UTF-8'
  if (/[/+]json/.test(contentType ?? '') && !isContainer(text)) return 'no JSON object or array'
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

/** Throws where Prism found that an answer, or a request that was served, is not as the document says. */
export function holdAgainstContract(method: string, url: string, response: Response): void {
  const faults = faultsOf(response.status, response.headers)
  if (faults.length === 0) return
  const { pathname } = new URL(url)
  throw new Error(
    `${method} ${pathname} answered ${response.status} against the document:\n${faults.join('\n')}`,
  )
}
