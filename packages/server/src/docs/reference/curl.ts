// Writes an API call as a curl command.

import type { Operation } from './document.ts'
import type { Example } from './example.ts'

/** Placeholders in the code samples for the reader's own API key and access token. */
export const API_KEY = 'gp_test_replace_this'
export const ACCESS_TOKEN = 'replace_this'

/**
 * Returns the curl command for an operation's example. `service` is the service's address, without a trailing
 * slash.
 */
export function curlOf(operation: Operation, example: Example, service: string): string {
  const { path, query, headers, body } = example
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  )
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const url = `${service}${filled}${search && `?${search}`}`
  const type = Object.keys(operation.requestBody?.content ?? {})[0]
  const lines = [
    `curl -s ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${quoted(url)}`,
    ...authorization(operation),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(type ? [`-H ${quoted(`Content-Type: ${type}`)}`, `--data-binary ${quoted(textOf(body))}`] : []),
  ]
  return lines.join(' \\\n  ')
}

export const usesApiKey = ({ security }: Operation): boolean => security.some(each => 'ApiKeyAuth' in each)

function authorization(operation: Operation): string[] {
  if (operation.security.length === 0) return []
  const credential = usesApiKey(operation) ? `ApiKey ${API_KEY}` : `Bearer ${ACCESS_TOKEN}`
  return [`-H ${quoted(`Authorization: ${credential}`)}`]
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))

/** Quotes an argument for a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w:/.?=&%-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
