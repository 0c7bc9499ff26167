// The search index, built from the rendered pages. Each heading is an entry, so that a search result leads to the right
// part of a page.

import MiniSearch from 'minisearch'
import type { Rendered } from './render.ts'
import { searchOptions } from './search-options.ts'

export type SearchablePage = { address: string; title: string; rendered: Rendered }
type Entry = { id: string; page: string; title: string; text: string }

/** Returns the search index as JSON. The browser loads it when the reader opens the search. */
export function searchIndex(pages: readonly SearchablePage[]): string {
  const index = new MiniSearch<Entry>(searchOptions)
  index.addAll(pages.flatMap(entriesOf))
  return JSON.stringify(index)
}

/**
 * Splits a documentation page into index entries, one for each heading. The ID of an entry is the address of
 * its heading.
 */
export function entriesOf({ address, title, rendered: { html, headings } }: SearchablePage): Entry[] {
  const starts = headings.map(({ id }) => html.search(new RegExp(`<h[1-6] id="${escapeRegExp(id)}"`)))
  return headings.map((heading, at) => {
    const part = html.slice(starts[at], starts[at + 1])
    return {
      id: heading.level === 1 ? address : `${address}#${heading.id}`,
      page: title,
      title: textOf(heading.html),
      text: textOf(part.replace(/^<h[1-6][\s\S]*?<\/h[1-6]>/, '')),
    }
  })
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Converts HTML rendered by this site to plain text. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
