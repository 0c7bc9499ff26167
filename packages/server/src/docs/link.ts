// Pages link to one another as files, so that their Markdown can be read anywhere; here these links become addresses.

import { posix } from 'node:path'
import { pages } from './contents.ts'

const addresses = new Map([
  ...pages.map(({ file, slug }): [string, string] => [file, `/docs/${slug}`]),
  ['README.md', '/docs'],
  ['docs/guides/README.md', '/docs'],
  ['openapi/openapi.json', '/openapi.json'],
])

/**
 * The address that `href` on the page made of `file` leads to. Undefined for what the site does not show, such as a
 * source file, and for every scheme that could run something.
 */
export function addressOf(href: string, file: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/i.test(href)) return href
  if (/^\/(?:docs(?:[/#]|$)|openapi\.json$)/.test(href)) return href
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined
  const [path = '', fragment] = href.split('#', 2)
  const address = addresses.get(fileOf(path, file))
  return address && (fragment === undefined ? address : `${address}#${fragment}`)
}

/** From the root of the repository; what is above it keeps its dots. */
export const fileOf = (path: string, from: string): string => posix.join(posix.dirname(from), path)
