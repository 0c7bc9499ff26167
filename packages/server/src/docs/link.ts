// Pages link to each other as files, so that their Markdown works anywhere. This maps such links to site addresses.

import { posix } from 'node:path'
import { pages } from './contents.ts'

const addresses = new Map([
  ...pages.map(({ file, slug }): [string, string] => [file, `/docs/${slug}`]),
  ['README.md', '/docs'],
  ['docs/guides/README.md', '/docs'],
  ['openapi/openapi.json', '/openapi.json'],
])

/**
 * Returns the address for `href` on the page of `file`. Undefined for targets that the site does not serve, such as
 * source files, and for every scheme that could run code.
 */
export function addressOf(href: string, file: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/i.test(href)) return href
  if (/^\/(?:docs(?:[/#]|$)|openapi\.json$)/.test(href)) return href
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined
  const [path = '', fragment] = href.split('#', 2)
  const address = addresses.get(fileOf(path, file))
  return address && (fragment === undefined ? address : `${address}#${fragment}`)
}

/** Path from the root of the repository; a path above the root keeps its dots. */
export const fileOf = (path: string, from: string): string => posix.join(posix.dirname(from), path)
