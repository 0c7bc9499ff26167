// The layout of every page: landmarks, navigation and table of contents. It works without JavaScript.

import { type Page, pages, type Section, sections } from './contents.ts'
import { escapeHtml } from './html.ts'
import type { Heading, Rendered } from './render.ts'

/** The addresses of the assets that every page loads. Each address contains a hash of the asset's content. */
export type Links = { style: string; script: string; icon: string }

/** The parts of a page; all text in it is already HTML. */
type Frame = { title: string; links: Links; body: string; head?: string }

const logo =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M8 25V7h3v18zM21 25V7h3v18zM6 5h20v3H6zM11 12h10v2.5H11z"/></svg>'

export function frame({ title, links, body, head = '' }: Frame): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${links.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${links.style}">
${head}</head>
${body}</html>
`
}

/** Returns the banner of a page. `here` is the address of the page. */
export function banner(here: string, menu: boolean): string {
  const link = (href: string, label: string) =>
    `<a href="${href}"${here === href ? ' aria-current="page"' : ''}>${label}</a>`
  return `<header class="banner">
<a class="home" href="/docs">${logo}<span>Gapura <span class="soft">Docs</span></span></a>
<nav aria-label="Site">${link('/docs/quick-start', 'Quick start')}${link('/docs/reference', 'API reference')}</nav>
${menu ? '<button class="menu" type="button" popovertarget="site:contents">Menu</button>\n' : ''}</header>
`
}

// Heading ids never contain a colon, so the layout's own ids cannot collide with them.
const skip = '<a class="skip" href="#site:main">Skip to content</a>\n'

const scripted = (links: Links) => `<script src="${links.script}" defer></script>\n`

export function homePage(links: Links): string {
  const card = ({ slug, label, about }: Page) =>
    `<li><a href="/docs/${slug}">${escapeHtml(label)}</a><p>${escapeHtml(about)}</p></li>`
  const section = ({ title, pages }: Section) =>
    `<section><h2>${escapeHtml(title)}</h2><ul class="cards">${pages.map(card).join('')}</ul></section>\n`
  const body = `<body class="front">
${skip}${banner('/docs', false)}<main id="site:main">
<div class="hero">
<h1>One API for Indonesian payments</h1>
<p>Accept virtual accounts, QRIS, e-wallets and convenience stores through one API. Gapura selects the provider, keeps the ledger, and notifies your server with a signed webhook when a payment is paid.</p>
<p class="actions"><a class="primary" href="/docs/quick-start">Quick start</a><a href="/docs/reference">API reference</a></p>
</div>
${sections.map(section).join('')}<section><h2>Reference</h2><ul class="cards">
<li><a href="/docs/reference">API reference</a><p>Every operation, with a form to try it against this service.</p></li>
<li><a href="/openapi.json">OpenAPI document</a><p>OpenAPI 3.1, for generators and tools.</p></li>
</ul></section>
</main>
</body>
`
  return frame({ title: 'Gapura documentation', links, body, head: scripted(links) })
}

export function guidePage(page: Page, { html, headings }: Rendered, links: Links): string {
  const contents = headings.filter(({ level }) => level === 2 || level === 3)
  const inline =
    contents.length > 1 &&
    `<details class="toc-inline"><summary>On this page</summary>${toc(contents)}</details>\n`
  const title = headings.find(({ level }) => level === 1)?.html ?? escapeHtml(page.label)
  const body = `<body>
${skip}${banner(`/docs/${page.slug}`, true)}<div class="columns">
${sideNavigation(page.slug)}<main id="site:main">
<article>
${inline ? html.replace('</h1>\n', () => `</h1>\n${inline}`) : html}</article>
${neighbours(page)}</main>
${contents.length > 1 ? `<nav class="toc" aria-label="On this page"><p>On this page</p>${toc(contents)}</nav>\n` : ''}</div>
</body>
`
  return frame({ title: `${textOf(title)} · Gapura`, links, body, head: scripted(links) })
}

export function missingPage(links: Links): string {
  const body = `<body>
${skip}${banner('', true)}<div class="columns">
${sideNavigation('')}<main id="site:main"><article>
<h1>There is no such page</h1>
<p>It may have been renamed. The <a href="/docs">first page</a> lists all that there are.</p>
</article></main>
</div>
</body>
`
  return frame({ title: 'No such page · Gapura', links, body, head: scripted(links) })
}

function sideNavigation(slug: string): string {
  const item = (page: Page) =>
    `<li><a href="/docs/${page.slug}"${page.slug === slug ? ' aria-current="page"' : ''}>${escapeHtml(page.label)}</a></li>`
  const section = ({ title, pages }: Section) =>
    `<p id="site:nav-${title}">${title}</p><ul aria-labelledby="site:nav-${title}">${pages.map(item).join('')}</ul>\n`
  return `<nav class="side" id="site:contents" aria-label="Documentation" popover>
${sections.map(section).join('')}<p id="site:nav-Reference">Reference</p><ul aria-labelledby="site:nav-Reference"><li><a href="/docs/reference">API reference</a></li><li><a href="/openapi.json">OpenAPI document</a></li></ul>
</nav>
`
}

const toc = (headings: Heading[]): string =>
  `<ul>${headings.map(({ level, id, html }) => `<li class="level-${level}"><a href="#${id}">${html}</a></li>`).join('')}</ul>`

function neighbours(page: Page): string {
  const at = pages.indexOf(page)
  const link = (rel: string, word: string, to: Page | undefined) =>
    to
      ? `<a rel="${rel}" href="/docs/${to.slug}"><span>${word}</span>${escapeHtml(to.label)}</a>`
      : '<span></span>'
  return `<nav class="neighbours" aria-label="Previous and next page">${link('prev', 'Previous', pages[at - 1])}${link('next', 'Next', pages[at + 1])}</nav>
`
}

/** Removes the tags from the HTML of a heading, which has only inline tags. The text stays escaped. */
const textOf = (html: string): string => html.replace(/<[^>]*>/g, '')
