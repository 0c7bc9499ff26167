// Markdown to HTML. The pages are ours, and raw HTML in them is escaped all the same: nothing that a page holds can
// become a script.

import { Marked, type Tokens } from 'marked'
import { codeBlock, codeBlocks, type Fence, readFence } from './code-block.ts'
import { escapeHtml } from './html.ts'
import { addressOf } from './link.ts'
import { sequenceList } from './sequence.ts'

export type Heading = { level: number; id: string; html: string }
export type Rendered = { html: string; headings: Heading[] }

/** `file`: the page's path from the root of the repository, which its relative links start from. */
export function render(markdown: string, file: string): Rendered {
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
        headings.push({ level: depth, id, html })
        // The first one names the page, and its address is the page's own.
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        const address = addressOf(href, file)
        // A link cannot stand in another one, and a heading is one.
        return address === undefined || isInHeading ? html : `<a href="${escapeHtml(address)}">${html}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      // What is for the writers of a page alone, such as a note to a linter, stands in comments.
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

/** As GitHub makes them, so that a link to a heading leads there in both places. */
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
