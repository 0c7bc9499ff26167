// Serves the documentation site. Each page is rendered when it is first requested, and is then cached. A page
// that is never requested therefore takes no time or memory.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { loadOnce, type Resource, textResource } from '../http/pages/resource.ts'
import { packageDirectory, repository } from '../repository.ts'
import { type Addresses, withAddresses } from './addresses.ts'
import { type Page, pages } from './contents.ts'
import { guidePage, homePage, missingPage } from './guide-page.ts'
import { addressIn, type Language, languages, translationOf } from './language.ts'
import type { Links, View } from './layout.ts'
import { navigationOf } from './navigation.ts'
import { groupsOf, type OpenApi } from './reference/document.ts'
import type { Rendered } from './render.ts'

const assetDirectory = join(packageDirectory, 'assets/docs')
const styles = ['base', 'banner', 'prose', 'columns', 'code', 'front', 'reference', 'search', 'print']

type Load = () => Promise<Resource>

export type SiteOptions = {
  /** The text of the OpenAPI document. The API reference is rendered from this document. */
  openapi: string
  addresses: Addresses
  /**
   * The beginning of the URL of each edit link. If the path of a file in the repository is appended, the URL opens the
   * editor for this file.
   */
  editUrl?: string | undefined
}
export type Site = {
  /** Returns the page with this path, or undefined if there is no such page. The first page's path is ''. */
  page(path: string): Promise<Resource> | undefined
  asset(name: string): Promise<Resource> | undefined
  missing(path: string): Promise<Resource>
}

export function site({ openapi, addresses, editUrl }: SiteOptions): Site {
  const read = once(() => {
    const document = JSON.parse(openapi) as OpenApi
    return { document, groups: groupsOf(document) }
  })
  const engine = loadOnce(async () => textResource(javascript, await minisearch()))
  const assets: Record<string, Load> = {
    'style.css': loadOnce(async () => textResource('text/css; charset=utf-8', await styleSheet())),
    'page.js': script('page.js'),
    'search.js': script('search.js'),
    'minisearch.js': engine,
    'icon.svg': loadOnce(async () => textResource('image/svg+xml', await readAsset('icon.svg'))),
    ...Object.fromEntries(
      languages.map(language => [`search-${language}.json`, loadOnce(() => index(language))]),
    ),
  }
  const addressOf = async (name: string): Promise<string> =>
    `/docs/assets/${(await assets[name]?.())?.version}/${name}`
  const links = loadOnce(
    async (): Promise<Links> => ({
      style: await addressOf('style.css'),
      script: await addressOf('page.js'),
      search: await addressOf('search.js'),
      icon: await addressOf('icon.svg'),
    }),
  )
  const view = async (language: Language, path: string, file?: string): Promise<View> => ({
    language,
    path,
    links: await links(),
    navigation: navigationOf(language, read().groups),
    version: read().document.info.version,
    editUrl: editUrl && file && `${editUrl.replace(/\/+$/, '')}/${file}`,
  })
  const html = (make: () => Promise<string>): Load =>
    loadOnce(async () => textResource('text/html; charset=utf-8', await make()))

  async function guide(language: Language, page: Page): Promise<string> {
    const { rendered, file, isTranslated } = await renderGuide(language, page, addresses)
    return guidePage(await view(language, page.slug, file), page, rendered, isTranslated)
  }

  /** Renders the pages of the API reference. The overview page comes first. */
  async function reference(
    language: Language,
  ): Promise<{ path: string; title: string; rendered: Rendered }[]> {
    const { groupContent, overview } = await import('./reference/page.ts')
    const { document, groups } = read()
    const here = await view(language, 'reference')
    return [
      { path: 'reference', title: 'API', rendered: overview(here, document, groups) },
      ...groups.map(group => {
        const rendered = groupContent(here, document, group, addresses.service)
        return { path: `reference/${group.slug}`, title: rendered.headings[0]?.html ?? '', rendered }
      }),
    ]
  }

  async function referencePage(language: Language, path: string): Promise<string> {
    const { groupContent, groupPage, overview, overviewPage } = await import('./reference/page.ts')
    const { document, groups } = read()
    const here = await view(language, path)
    const group = groups.find(({ slug }) => path === `reference/${slug}`)
    return group
      ? groupPage(here, groupContent(here, document, group, addresses.service))
      : overviewPage(here, overview(here, document, groups))
  }

  async function index(language: Language): Promise<Resource> {
    const { searchIndex } = await import('./search-index.ts')
    const guides = await Promise.all(
      pages.map(async page => {
        const { rendered } = await renderGuide(language, page, addresses)
        return { address: addressIn(language, page.slug), title: titleOf(rendered), rendered }
      }),
    )
    const references = (await reference(language)).map(({ path, title, rendered }) => ({
      address: addressIn(language, path),
      title,
      rendered,
    }))
    return textResource('application/json; charset=utf-8', searchIndex([...guides, ...references]))
  }

  const pathOf = (language: Language, path: string): string =>
    addressIn(language, path).replace(/^\/docs\/?/, '')
  const byPath = once(() => {
    const all = new Map<string, Load>()
    for (const language of languages) {
      all.set(
        pathOf(language, ''),
        html(async () => homePage(await view(language, ''))),
      )
      for (const page of pages)
        all.set(
          pathOf(language, page.slug),
          html(() => guide(language, page)),
        )
      for (const path of ['reference', ...read().groups.map(({ slug }) => `reference/${slug}`)])
        all.set(
          pathOf(language, path),
          html(() => referencePage(language, path)),
        )
    }
    return all
  })
  const assetsByName = new Map(Object.entries(assets))
  const missing = {
    en: html(async () => missingPage(await view('en', ''))),
    id: html(async () => missingPage(await view('id', ''))),
  }
  return {
    page: path => byPath().get(path)?.(),
    asset: name => assetsByName.get(name)?.(),
    missing: path => missing[/^id(\/|$)/.test(path) ? 'id' : 'en'](),
  }
}

const titleOf = ({ headings }: Rendered): string => (headings[0]?.html ?? '').replace(/<[^>]*>/g, '')

/**
 * Renders a guide. If the guide has no translation, the page shows the English text. The links in this text still lead
 * to pages in the site's language.
 */
async function renderGuide(
  language: Language,
  { file }: Page,
  addresses: Addresses,
): Promise<{ rendered: Rendered; file: string; isTranslated: boolean }> {
  // The Markdown parser and the syntax highlighter are loaded only when the first page is rendered.
  const { render } = await import('./render.ts')
  const english = withAddresses(await readFile(join(repository, file), 'utf8'), addresses)
  if (language === 'en') return { rendered: render(english, file), file, isTranslated: true }
  const translation = translationOf(file)
  const markdown = await readFile(join(repository, translation), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    },
  )
  if (markdown === undefined)
    return { rendered: render(english, file, { language }), file, isTranslated: false }
  const aliases = render(english, file).headings.map(({ id }) => id)
  const rendered = render(withAddresses(markdown, addresses), translation, { language, aliases })
  return { rendered, file: translation, isTranslated: true }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const javascript = 'text/javascript; charset=utf-8'
const script = (name: string): Load => loadOnce(async () => textResource(javascript, await readAsset(name)))

const readAsset = (name: string): Promise<string> => readFile(join(assetDirectory, name), 'utf8')

/**
 * Returns MiniSearch as a browser module. The address of the module's source map is removed, because the site does
 * not serve the source map.
 */
async function minisearch(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('minisearch')
  const source = await readFile(join(main, '../../es/index.js'), 'utf8')
  return source.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}

async function styleSheet(): Promise<string> {
  return (await Promise.all(styles.map(name => readAsset(`style/${name}.css`)))).join('')
}
