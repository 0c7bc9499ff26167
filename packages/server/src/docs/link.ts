// Converts links between Markdown files to links between pages on the documentation site. In the repository,
// Markdown files link to other files, so that the links work in every Markdown viewer.

import { posix } from 'node:path'
import { pages } from './contents.ts'
import { addressIn, type Language } from './language.ts'

const slugs = new Map([
  ...pages.map(({ file, slug }): [string, string] => [file, slug]),
  ['README.md', ''],
  ['docs/guides/README.md', ''],
])

/**
 * Returns the address on the documentation site for the link `href` in the Markdown file `file`. Returns undefined if
 * the target is not part of the site, or if the URL scheme could run code. On Indonesian pages, links lead to other
 * Indonesian pages (`/docs/id`).
 */
export function addressOf(href: string, file: string, language: Language = 'en'): string | undefined {
  if (/^(?:https?:|mailto:|#)/i.test(href)) return href
  if (/^\/(?:docs(?:[/#]|$)|openapi\.json$)/.test(href))
    return href.replace(/^\/docs(?=[/#]|$)/, addressIn(language, ''))
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined
  const [path = '', fragment] = href.split('#', 2)
  const target = fileOf(path, file.replace(/^docs\/id\//, 'docs/'))
  const slug = slugs.get(target)
  const address =
    target === 'openapi/openapi.json' ? '/openapi.json' : slug !== undefined && addressIn(language, slug)
  if (address === false) return undefined
  return fragment === undefined ? address : `${address}#${fragment}`
}

/**
 * Returns the path of a link's target, relative to the repository root. A path above the root keeps its leading
 * `..`.
 */
export const fileOf = (path: string, from: string): string => posix.join(posix.dirname(from), path)
