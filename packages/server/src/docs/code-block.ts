// Renders fenced code blocks: syntax highlighting, the title bar, the output of commands, and tabs for
// alternatives.

import { createRequire } from 'node:module'
import { escapeHtml } from '../values/html.ts'

type Highlighter = {
  registerLanguage(name: string, grammar: unknown): void
  registerAliases(aliases: string[], of: { languageName: string }): void
  getLanguage(name: string): unknown
  highlight(code: string, options: { language: string }): { value: string }
}

// highlight.js is loaded with `require`, because the types of an import would declare the browser's global variables
// for the whole service.
const require = createRequire(import.meta.url)
const hljs = require('highlight.js/lib/core') as Highlighter
for (const name of ['bash', 'diff', 'json', 'sql', 'typescript', 'yaml'])
  hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))
// JavaScript is highlighted with the TypeScript grammar, which produces the same colors.
hljs.registerAliases(['js', 'javascript', 'mjs', 'cjs', 'tsx'], { languageName: 'typescript' })

export type Fence = {
  language: string
  text: string
  tab?: string
  title?: string
  terminal?: string
  diagram?: boolean
}

/**
 * Parses a fenced code block. `info` is the text after the three backticks: first the language, then the word `diagram`
 * or attributes such as key=value or key="a value".
 */
export function readFence(info: string, text: string): Fence {
  const [language = '', ...words] = info.trim().split(/\s+/)
  const attributes: Partial<Record<string, string>> = Object.fromEntries(
    [...info.matchAll(/\s([a-z]+)=(?:"([^"]*)"|(\S+))/g)].map(([, key, quoted, bare]) => [
      key,
      quoted ?? bare,
    ]),
  )
  const { tab, title, terminal } = attributes
  return {
    language,
    text,
    ...(tab && { tab }),
    ...(title && { title }),
    ...(terminal && { terminal }),
    ...(words.includes('diagram') && { diagram: true }),
  }
}

/**
 * Renders a code block. If a `text` or `json` block follows commands (`isBelowCommands`), it is shown as the
 * output of these commands. A `text` block with the name of a terminal (`terminal`) is also shown as output.
 */
export function codeBlock(fence: Fence, isBelowCommands = false): string {
  const isOutput = isBelowCommands || (fence.language === 'text' && fence.terminal !== undefined)
  const bar = fence.title ?? barOf(isOutput, fence.terminal)
  const caption = bar === undefined ? '' : `<figcaption>${escapeHtml(bar)}</figcaption>`
  const kind = isOutput ? 'code output' : fence.diagram ? 'code diagram' : 'code'
  return `<figure class="${kind}">${caption}<pre><code>${highlight(fence)}</code></pre></figure>\n`
}

function barOf(isOutput: boolean, terminal: string | undefined): string | undefined {
  if (terminal === undefined) return isOutput ? 'Output' : undefined
  return `${isOutput ? 'Output' : 'Terminal'}: ${terminal}`
}

function highlight({ language, text }: Fence): string {
  return hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text)
}

/**
 * Renders consecutive code blocks. A `text` or `json` block after commands is shown as the commands' output. Blocks
 * with tabs become radio buttons with one panel for each tab: radio buttons need no script, support the arrow keys, and
 * allow all panels to be printed.
 */
export function codeBlocks(fences: Fence[], id: string): string {
  const isOutput = (at: number) => isPrintedBy(fences[at], fences[at - 1])
  const parts: string[] = []
  for (let at = 0; at < fences.length; ) {
    const panels = new Map<string, string>()
    for (let fence = fences[at]; fence?.tab; fence = fences[++at])
      panels.set(fence.tab, (panels.get(fence.tab) ?? '') + codeBlock(fence, isOutput(at)))
    if (panels.size > 0) parts.push(tabs(panels, `${id}-${parts.length}`))
    const fence = fences[at]
    if (fence) parts.push(codeBlock(fence, isOutput(at++)))
  }
  return parts.join('')
}

function isPrintedBy(fence: Fence | undefined, above: Fence | undefined): boolean {
  if (!fence || !above || !['text', 'json'].includes(fence.language)) return false
  const isSameTab = fence.tab === undefined || fence.tab === above.tab
  return !fence.title && !fence.diagram && isSameTab && ['sh', 'bash'].includes(above.language)
}

function tabs(panels: Map<string, string>, id: string): string {
  const labels = [...panels.keys()].map((tab, at) => {
    const checked = at === 0 ? ' checked' : ''
    return `<input type="radio" name="${id}" id="${id}-${at}" value="${escapeHtml(tab)}"${checked}><label for="${id}-${at}">${escapeHtml(tab)}</label>`
  })
  const shown = [...panels].map(
    ([tab, html]) => `<div class="panel" data-tab="${escapeHtml(tab)}">\n${html}</div>`,
  )
  return `<div class="tabs" role="group" aria-label="Ways to do it">${labels.join('')}${shown.join('')}</div>\n`
}
