// In Markdown, pages link to each other's files, so that the links work in every viewer. This file converts such links
// to addresses on the site.

import { posix } from 'node:path'
import { pages } from './contents.ts'

const addresses = new Map([
  ...pages.map(({ file, slug }): [string, string] => [file, `/docs/${slug}`]),
  ['README.md', '/docs'],
  ['docs/guides/README.md', '/docs'],
  ['openapi/openapi.json', '/openapi.json'],
])

/**
 * Returns the address on the site for the link `href` in the Markdown file `file`. Returns undefined for targets that
 * the site does not serve, such as source files, and for every URL scheme that could run code.
 */
export function addressOf(href: string, file: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/i.test(href)) return href
  if (/^\/(?:docs(?:[/#]|$)|openapi\.json$)/.test(href)) return href
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined
  const [path = '', fragment] = href.split('#', 2)
  const address = addresses.get(fileOf(path, file))
  return address && (fragment === undefined ? address : `${address}#${fragment}`)
}

/**
 * Returns the path of a link's target from the root of the repository. A path above the root keeps its leading `..`.
 */
export const fileOf = (path: string, from: string): string => posix.join(posix.dirname(from), path)
