// Renders the pages that do not belong to the API reference: the first page, the guides, and the page for unknown
// addresses.

import { escapeHtml } from '../values/html.ts'
import type { Page } from './contents.ts'
import { addressIn, words } from './language.ts'
import { document, neighbours, sideNavigation, toc, type View } from './layout.ts'
import type { NavigationItem, NavigationSection } from './navigation.ts'
import type { Rendered } from './render.ts'

export function homePage(view: View): string {
  const { language, navigation } = view
  const text = words[language]
  const card = ({ path, label, about }: NavigationItem) =>
    `<li><a href="${addressIn(language, path)}">${escapeHtml(label)}</a><p>${escapeHtml(about)}</p></li>`
  const section = ({ title, items }: NavigationSection) => {
    const shown = items[0]?.audience === 'reference' ? items.slice(0, 1).map(withTitle(title)) : items
    const openapi = `<li><a href="/openapi.json">${text.openapi}</a><p>${text.openapiAbout}</p></li>`
    return `<section><h2>${escapeHtml(title)}</h2><ul class="cards">${shown.map(card).join('')}${shown === items ? '' : openapi}</ul></section>\n`
  }
  const main = `<div class="hero">
<h1>${text.heroTitle}</h1>
<p>${text.hero}</p>
<p class="actions"><a class="primary" href="${addressIn(language, 'quick-start')}">${text.quickStart}</a><a href="${addressIn(language, 'reference')}">${text.reference}</a></p>
</div>
${navigation.map(section).join('')}`
  return document(view, { title: text.documentation, main, kind: 'front' })
}

const withTitle =
  (label: string) =>
  (item: NavigationItem): NavigationItem => ({ ...item, label })

/**
 * Renders a guide. `isTranslated` is false if the guide has no translation, so that the page shows English
 * text on a site in another language.
 */
export function guidePage(
  view: View,
  page: Page,
  { html, headings }: Rendered,
  isTranslated: boolean,
): string {
  const text = words[view.language]
  const contents = headings.filter(({ level }) => level === 2 || level === 3)
  const hasContents = contents.length > 1
  const inline = hasContents
    ? `<details class="toc-inline"><summary>${text.onThisPage}</summary>${toc(contents)}</details>\n`
    : ''
  const title = headings.find(({ level }) => level === 1)?.html ?? escapeHtml(page.label)
  const note = isTranslated ? '' : `<p class="note">${text.untranslated}</p>\n`
  const language = isTranslated ? '' : ' lang="en"'
  const main = `${note}<article${language}>
${html.replace('</h1>\n', () => `</h1>\n${inline}`)}</article>
${neighbours(view)}`
  const aside = hasContents
    ? `<nav class="toc" aria-label="${text.onThisPage}"${language}><p lang="${view.language}">${text.onThisPage}</p>${toc(contents)}</nav>\n`
    : ''
  return document(view, { title: `${textOf(title)} · Gapura`, main, side: sideNavigation(view), aside })
}

export function missingPage(view: View): string {
  const text = words[view.language]
  const main = `<article>
<h1>${text.missingTitle}</h1>
<p>${text.missing} <a href="${addressIn(view.language, '')}">${text.firstPage}</a>.</p>
</article>
`
  return document(view, { title: `${text.missingTitle} · Gapura`, main, side: sideNavigation(view) })
}

/**
 * Returns a heading's HTML without its tags. Special characters in it are already escaped, so the result is
 * safe to use as HTML.
 */
const textOf = (html: string): string => html.replace(/<[^>]*>/g, '')
