// The order of all documentation pages (guides and API reference), and their labels in each language.

import { type Audience, type Page, sections } from './contents.ts'
import { indonesianGroups, indonesianLabels } from './contents-indonesian.ts'
import { type Language, words } from './language.ts'

export type NavigationItem = { path: string; label: string; about: string; audience: Audience | 'reference' }
export type NavigationSection = { title: string; items: NavigationItem[] }

const titles: Record<Language, Record<Audience, string>> = {
  en: { merchants: 'Merchants', operators: 'Operators', contributors: 'Contributors' },
  id: { merchants: 'Merchant', operators: 'Operator', contributors: 'Kontributor' },
}

/** Returns the title of an API reference page. */
export const groupTitle = (language: Language, { slug, title }: { slug: string; title: string }): string =>
  language === 'id' ? (indonesianGroups[slug] ?? title) : title

/**
 * Returns the sections of the navigation. The API reference follows directly after the pages for merchants, because
 * merchants use it most.
 */
export function navigationOf(
  language: Language,
  groups: readonly { slug: string; title: string; description: string }[],
): NavigationSection[] {
  const [merchants, ...others] = sections.map(({ audience, pages }) => ({
    title: titles[language][audience],
    items: pages.map(page => ({ path: page.slug, ...labelOf(language, page), audience })),
  }))
  const { reference, referenceAbout } = words[language]
  const item = (path: string, label: string, about: string): NavigationItem => ({
    path,
    label,
    about,
    audience: 'reference',
  })
  const inReference = groups.map(each =>
    item(`reference/${each.slug}`, groupTitle(language, each), each.description),
  )
  const overview = item('reference', words[language].overview, referenceAbout)
  return [
    ...(merchants ? [merchants] : []),
    { title: reference, items: [overview, ...inReference] },
    ...others,
  ]
}

const labelOf = (language: Language, { slug, label, about }: Page): { label: string; about: string } =>
  (language === 'id' && indonesianLabels[slug]) || { label, about }
