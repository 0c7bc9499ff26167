// The layout of every documentation page: landmarks (such as `<main>`), navigation, search and footer. Only the search
// needs JavaScript.

import { escapeHtml } from '../values/html.ts'
import { addressIn, type Language, languages, type Words, words } from './language.ts'
import type { NavigationItem, NavigationSection } from './navigation.ts'
import type { Heading } from './render.ts'

/** The addresses of the assets that every page loads. Each address contains a hash of the asset's content. */
export type Links = { style: string; script: string; icon: string; search: string }

/** The data that a documentation page shows in addition to its own text, such as the navigation. */
export type View = {
  language: Language
  /** The page's path without the language prefix, or '' for the first page. */
  path: string
  links: Links
  navigation: readonly NavigationSection[]
  version: string
  /**
   * The address at which the page's source can be edited. Undefined if the operator has not configured such
   * an address.
   */
  editUrl?: string | undefined
}

const logo =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M8 25V7h3v18zM21 25V7h3v18zM6 5h20v3H6zM11 12h10v2.5H11z"/></svg>'

type Body = {
  title: string
  /** The HTML of the page's main landmark (`<main>`). */
  main: string
  /** The navigation next to the text. If undefined, the text uses the full width of the page. */
  side?: string
  aside?: string
  kind?: string
}

export function document(view: View, { title, main, side, aside = '', kind }: Body): string {
  const { language, path, links } = view
  const alternates = [...languages.map(each => [each, each] as const), ['x-default', 'en'] as const]
  const text = words[language]
  const content = `<main id="site:main">\n${main}${side === undefined ? '' : footer(view)}</main>\n`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${alternates.map(([name, each]) => `<link rel="alternate" hreflang="${name}" href="${addressIn(each, path)}">\n`).join('')}<link rel="icon" href="${links.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${links.style}">
<script type="module" src="${links.script}"></script>
<script type="module" src="${links.search}"></script>
</head>
<body${kind ? ` class="${kind}"` : ''} data-copy="${text.copy}" data-copied="${text.copied}" data-selected="${text.selected}" data-not-copied="${text.notCopied}">
<a class="skip" href="#site:main">${text.skip}</a>
${banner(view, side !== undefined)}${side === undefined ? content : `<div class="columns">\n${side}${content}${aside}</div>\n`}${side === undefined ? `<div class="foot">${footer(view)}</div>\n` : ''}${searchDialog(language, text)}</body>
</html>
`
}

function banner({ language, path }: View, menu: boolean): string {
  const text = words[language]
  const link = (to: string, label: string) =>
    `<a href="${addressIn(language, to)}"${path === to ? ' aria-current="page"' : ''}>${label}</a>`
  // The search button is hidden until the page's JavaScript shows it, because the search needs JavaScript.
  const search = `<button class="find" type="button" hidden aria-keyshortcuts="/"><span>${text.search}</span><kbd aria-hidden="true">/</kbd></button>`
  const button = `<button class="menu" type="button" popovertarget="site:contents">${text.menu}</button>\n`
  return `<header class="banner">
<a class="home" href="${addressIn(language, '')}">${logo}<span>Gapura <span class="soft">${text.docs}</span></span></a>
${search}
<nav aria-label="${text.site}">${link('quick-start', text.quickStart)}${link('reference', text.reference)}${languageLinks(language, path)}</nav>
${menu ? button : ''}</header>
`
}

/** Returns links to the translations of the page at `path` into the other languages. */
const languageLinks = (language: Language, path: string): string =>
  languages
    .filter(each => each !== language)
    .map(
      each =>
        `<a class="language" href="${addressIn(each, path)}" lang="${each}" hreflang="${each}">${words[each].name}</a>`,
    )
    .join('')

/** Returns the navigation. It shows the current page's headings (`parts`) below the link to this page. */
export function sideNavigation({ language, path, navigation }: View, parts: readonly Heading[] = []): string {
  const text = words[language]
  const item = (each: NavigationItem) => {
    const isCurrent = each.path === path
    const list = isCurrent && parts.length > 0 ? toc(parts).replace('<ul>', '<ul class="parts">') : ''
    return `<li><a href="${addressIn(language, each.path)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(each.label)}</a>${list}</li>`
  }
  const section = ({ title, items }: NavigationSection, at: number) =>
    `<p id="site:nav-${at}">${title}</p><ul aria-labelledby="site:nav-${at}">${items.map(item).join('')}</ul>\n`
  return `<nav class="side" id="site:contents" aria-label="${text.navigation}" popover>
<p class="of-phone">${languageLinks(language, path)}</p>
${navigation.map(section).join('')}<ul><li><a href="/openapi.json">${text.openapi}</a></li></ul>
</nav>
`
}

export const toc = (headings: readonly Heading[]): string =>
  `<ul>${headings.map(({ level, id, html }) => `<li class="level-${level}"><a href="#${id}">${html}</a></li>`).join('')}</ul>`

/** Returns links to the previous and next pages. These pages may belong to another section. */
export function neighbours({ language, path, navigation }: View): string {
  const text = words[language]
  const items = navigation.flatMap(section => section.items)
  const at = items.findIndex(each => each.path === path)
  const link = (rel: string, word: string, to: NavigationItem | undefined) =>
    to
      ? `<a rel="${rel}" href="${addressIn(language, to.path)}"><span>${word}</span>${escapeHtml(to.label)}</a>`
      : '<span></span>'
  return `<nav class="neighbours" aria-label="${text.neighbours}">${link('prev', text.previous, items[at - 1])}${link('next', text.next, items[at + 1])}</nav>
`
}

function footer({ language, version, editUrl }: View): string {
  const text = words[language]
  const edit = editUrl ? `<a class="edit" href="${escapeHtml(editUrl)}">${text.edit}</a>` : ''
  return `<footer class="foot-note"><p>${text.version(escapeHtml(version))} <a href="${addressIn(language, 'changelog')}">${text.changelog}</a></p>${edit}</footer>
`
}

function searchDialog(language: Language, text: Words): string {
  const data = `data-index="/docs/assets/search/search-${language}.json" data-none="${text.searchNone}" data-failed="${text.searchFailed}" data-count="${text.searchCount('#')}"`
  return `<dialog class="search" aria-label="${text.searchLabel}" ${data}>
<div class="search-field"><input type="text" inputmode="search" role="combobox" aria-label="${text.searchLabel}" aria-expanded="false" aria-controls="site:results" aria-autocomplete="list" placeholder="${text.searchHint}" autocomplete="off" spellcheck="false" maxlength="100"><button type="button" class="search-close">${text.close}</button></div>
<ul id="site:results" role="listbox" aria-label="${text.search}"></ul>
<p class="search-status" role="status"></p>
</dialog>
`
}
