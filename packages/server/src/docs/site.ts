// The documentation site as a set of resources. Each resource is read and rendered at its first request and then
// cached, so pages that are never requested cost nothing.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOnce, type Resource, textResource } from '../http/pages/resource.ts'
import { type Page, pages } from './contents.ts'
import { guidePage, homePage, type Links, missingPage } from './layout.ts'
import { referencePage, scalarBundle } from './reference.ts'

const repository = join(import.meta.dirname, '../../../..')
const assetDirectory = join(import.meta.dirname, '../../assets/docs')
const frameStyles = ['base', 'banner']
const pageStyles = [...frameStyles, 'prose', 'columns', 'code', 'front', 'print']
// The reference page gets only the styles of the layout. The site's other styles are in no CSS layer and would override
// Scalar's own styles, which are in one.
const referenceStyles = [...frameStyles, 'reference']

type AssetName = 'style.css' | 'page.js' | 'reference.css' | 'reference.js' | 'icon.svg' | 'scalar.js'
type Load = () => Promise<Resource>

export type Site = {
  /** Returns the page with this slug, which is '' for the home page; undefined if there is no such page. */
  page(slug: string): Promise<Resource> | undefined
  asset(name: string): Promise<Resource> | undefined
  missing(): Promise<Resource>
}

export function site(): Site {
  const assets: Record<AssetName, Load> = {
    'style.css': styleSheet(pageStyles),
    'reference.css': styleSheet(referenceStyles),
    'page.js': script('page.js'),
    'reference.js': script('reference.js'),
    'icon.svg': loadOnce(async () => textResource('image/svg+xml', await readAsset('icon.svg'))),
    'scalar.js': loadOnce(scalarBundle),
  }

  /** Returns the address of an asset. It contains the asset's version, so that browsers may cache the asset forever. */
  const addressOf = async (name: AssetName): Promise<string> =>
    `/docs/assets/${(await assets[name]()).version}/${name}`
  const links = loadOnce(
    async (): Promise<Links> => ({
      style: await addressOf('style.css'),
      script: await addressOf('page.js'),
      icon: await addressOf('icon.svg'),
    }),
  )
  const page = (make: (links: Links) => string | Promise<string>): Load =>
    loadOnce(async () => textResource('text/html; charset=utf-8', await make(await links())))
  const reference = page(async links =>
    referencePage({
      style: await addressOf('reference.css'),
      icon: links.icon,
      scalar: await addressOf('scalar.js'),
      script: await addressOf('reference.js'),
    }),
  )

  const assetsByName = new Map<string, Load>(Object.entries(assets))
  const pagesBySlug = new Map<string, Load>([
    ['', page(homePage)],
    ['reference', reference],
    ...pages.map((each): [string, Load] => [each.slug, page(links => guide(each, links))]),
  ])
  return {
    page: slug => pagesBySlug.get(slug)?.(),
    asset: name => assetsByName.get(name)?.(),
    missing: page(missingPage),
  }
}

async function guide(page: Page, links: Links): Promise<string> {
  // The Markdown parser and the highlighter are loaded with the first page that needs them.
  const { render } = await import('./render.ts')
  return guidePage(page, render(await readFile(join(repository, page.file), 'utf8'), page.file), links)
}

const script = (name: string): Load =>
  loadOnce(async () => textResource('text/javascript; charset=utf-8', await readAsset(name)))

const readAsset = (name: string): Promise<string> => readFile(join(assetDirectory, name), 'utf8')

const styleSheet = (names: string[]): Load =>
  loadOnce(async () => {
    const parts = await Promise.all(names.map(name => readAsset(`style/${name}.css`)))
    return textResource('text/css; charset=utf-8', parts.join(''))
  })
