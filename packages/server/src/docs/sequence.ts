// Renders Mermaid sequence diagrams as numbered lists. Such a list needs no JavaScript library in the browser, works
// with screen readers, and fits on a phone screen.

import { escapeHtml } from '../values/html.ts'

/**
 * Returns the sequence diagram as an HTML list, or undefined if it contains unsupported elements. In that case, the
 * page shows the diagram's source.
 */
export function sequenceList(diagram: string): string | undefined {
  const [kind, ...lines] = diagram.split('\n').map(line => line.trim())
  if (kind !== 'sequenceDiagram') return undefined
  const names = new Map<string, string>()
  const steps: string[] = []
  for (const line of lines.filter(line => line !== '')) {
    const participant = /^participant (\w+) as (.+)$/.exec(line)
    const message = /^(\w+)-?->>(\w+): (.+)$/.exec(line)
    if (participant) names.set(participant[1] as string, participant[2] as string)
    else if (message) steps.push(step(message.slice(1) as [string, string, string]))
    else return undefined
  }
  return `<ol class="sequence">${steps.join('')}</ol>\n`

  function step([from, to, text]: [string, string, string]): string {
    const [speaker, hearer] = [from, to].map(each => `<b>${escapeHtml(names.get(each) ?? each)}</b>`)
    const who = from === to ? speaker : `${speaker} → ${hearer}`
    return `<li>${who}<br>${escapeHtml(text)}</li>`
  }
}
