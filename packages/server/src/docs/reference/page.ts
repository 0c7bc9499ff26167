// Renders the API reference pages: an overview, and one page for each tag in the API document.

import { escapeHtml } from '../../values/html.ts'
import { addressIn, type Language, words } from '../language.ts'
import { document, neighbours, sideNavigation, toc, type View } from '../layout.ts'
import { groupTitle } from '../navigation.ts'
import { type Heading, type Rendered, render } from '../render.ts'
import { EVENTS, type OpenApi, type OperationGroup } from './document.ts'
import { operationHtml } from './operation.ts'

/** Renders the overview page: the API document's introduction, and a list of all operations. */
export function overview(view: View, openapi: OpenApi, groups: readonly OperationGroup[]): Rendered {
  const { language } = view
  const text = words[language]
  const introduction = render(openapi.info.description, 'openapi/openapi.json', { language })
  const list = (
    group: OperationGroup,
  ) => `<h3 id="operations-${group.slug}"><a href="${addressIn(language, `reference/${group.slug}`)}">${escapeHtml(groupTitle(language, group))}</a></h3>
<ul class="operations">${group.operations.map(operation => `<li><a href="${addressIn(language, `reference/${group.slug}`)}#${operation.operationId}" lang="en">${escapeHtml(operation.summary)}</a><code>${group.slug === EVENTS ? operation.path : `${operation.method} ${escapeHtml(operation.path)}`}</code></li>`).join('')}</ul>
`
  const html = `<h1 id="api-reference">${text.reference}</h1>
${note(language)}<div lang="en">${introduction.html}</div>
<h2 id="operations"><a href="#operations">${text.operations}</a></h2>
${groups.map(list).join('')}`
  return {
    html,
    headings: [
      { level: 1, id: 'api-reference', html: text.reference },
      ...introduction.headings,
      { level: 2, id: 'operations', html: text.operations },
      ...groups.map(group => ({
        level: 3,
        id: `operations-${group.slug}`,
        html: escapeHtml(groupTitle(language, group)),
      })),
    ],
  }
}

const note = (language: Language): string =>
  language === 'en' ? '' : `<p class="note">${words[language].untranslatedReference}</p>\n`

/**
 * Renders the page for one tag. On this page, each operation has its own heading. `service` is the address of
 * the service in the samples.
 */
export function groupContent(view: View, openapi: OpenApi, group: OperationGroup, service: string): Rendered {
  const { language } = view
  const title = escapeHtml(groupTitle(language, group))
  const operations = group.operations.map(each =>
    operationHtml({ openapi, language, service }, each, group.slug),
  )
  const headings: Heading[] = group.operations.map(({ operationId, summary }) => ({
    level: 2,
    id: operationId,
    html: escapeHtml(summary),
  }))
  return {
    html: `<h1 id="${group.slug}">${title}</h1>\n${note(language)}<div lang="en">${render(group.description, 'openapi/openapi.json').html}</div>\n${operations.join('')}`,
    headings: [{ level: 1, id: group.slug, html: title }, ...headings],
  }
}

export function overviewPage(view: View, { html, headings }: Rendered): string {
  const text = words[view.language]
  const aside = `<nav class="toc" aria-label="${text.onThisPage}"><p>${text.onThisPage}</p>${toc(headings.slice(1))}</nav>\n`
  const main = `<article>\n${html}</article>\n${neighbours(view)}`
  return document(view, { title: `${text.reference} · Gapura`, main, side: sideNavigation(view), aside })
}

export function groupPage(view: View, { html, headings }: Rendered): string {
  const [title, ...operations] = headings
  const main = `<article class="reference">\n${html}</article>\n${neighbours(view)}`
  return document(view, {
    title: `${title?.html} · ${words[view.language].reference} · Gapura`,
    main,
    side: sideNavigation(view, operations),
    kind: 'wide',
  })
}
