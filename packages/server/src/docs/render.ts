// Converts Markdown to HTML. Although we write all pages ourselves, raw HTML in the Markdown is escaped, so that no
// page can contain a script.

import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../values/html.ts'
import { codeBlock, codeBlocks, type Fence, readFence } from './code-block.ts'
import type { Language } from './language.ts'
import { addressOf } from './link.ts'
import { sequenceList } from './sequence.ts'

export type Heading = { level: number; id: string; html: string }
export type Rendered = { html: string; headings: Heading[] }

type Options = {
  /** The language of the pages to which this page's links lead. */
  language?: Language
  /**
   * Additional anchors: the IDs of the same page's headings in another language. A link to a heading then works in
   * every language.
   */
  aliases?: readonly string[]
}

/**
 * Renders a page. `file` is the path of the page's file, relative to the repository root. Relative links are
 * resolved against this path.
 */
export function render(
  markdown: string,
  file: string,
  { language = 'en', aliases = [] }: Options = {},
): Rendered {
  const headings: Heading[] = []
  const idOf = headingIds()
  let isInHeading = false
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = idOf(textOf(tokens))
        isInHeading = true
        const html = this.parser.parseInline(tokens)
        isInHeading = false
        const alias = aliases[headings.length] ?? id
        headings.push({ level: depth, id, html })
        const target = alias === id ? '' : `<span id="${alias}"></span>`
        // The first heading is the page's title. It has no link to itself, because the page's own address already
        // leads to it.
        if (depth === 1) return `${target}<h1 id="${id}">${html}</h1>\n`
        return `${target}<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        const address = addressOf(href, file, language)
        // A link in a heading is shown as text, because the heading itself is a link and links cannot be nested.
        return address === undefined || isInHeading ? html : `<a href="${escapeHtml(address)}">${html}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      // HTML comments are not shown, because they are notes for authors, such as linter directives.
      html: ({ text }) => (/^<!--(?:(?!-->)[\s\S])*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      code: ({ lang, text }) => codeBlock(readFence(lang ?? '', text)),
      table(token) {
        const row = (cells: Tokens.TableCell[]) =>
          `<tr>${cells.map(each => this.tablecell(each)).join('')}</tr>`
        const body = token.rows.map(row).join('\n')
        return `<div class="table"><table><thead>${row(token.header)}</thead><tbody>${body}</tbody></table></div>\n`
      },
    },
  })

  const tokens = marked.lexer(markdown)
  const parts: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const fences: Fence[] = []
    const begin = at
    for (; tokens[at]?.type === 'code' || (fences.length > 0 && tokens[at]?.type === 'space'); at++) {
      const token = tokens[at] as Tokens.Code | Tokens.Space
      if (token.type === 'code') fences.push(readFence((token as Tokens.Code).lang ?? '', token.text))
    }
    if (fences.length > 0) parts.push(blocksOf(fences, `tabs:${begin}`))
    else parts.push(marked.parser([tokens[at++] as Tokens.Generic]))
  }
  return { html: parts.join(''), headings }
}

function blocksOf(fences: Fence[], id: string): string {
  const [first] = fences
  const diagram = fences.length === 1 && first?.language === 'mermaid' ? sequenceList(first.text) : undefined
  return diagram ?? codeBlocks(fences, id)
}

const textOf = (tokens: Tokens.Generic[]): string =>
  tokens.map(token => (token.tokens ? textOf(token.tokens) : (token.text as string))).join('')

/**
 * Returns a function that gives each heading the same ID as on GitHub, so that links to headings work on GitHub and
 * on this site.
 */
function headingIds(): (text: string) => string {
  const used = new Map<string, number>()
  return text => {
    const id = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const times = used.get(id) ?? 0
    used.set(id, times + 1)
    return times === 0 ? id : `${id}-${times}`
  }
}
