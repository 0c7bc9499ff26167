import { expect, test } from 'vitest'
import { navigationOf, type PageName } from './navigation.ts'
import { pageKeys, shortcutOf } from './shortcut.ts'

const pagesOf = (role: 'client' | 'partner' | 'owner'): PageName[] =>
  navigationOf({ role, user: { permissions: ['admin'] } }, { hasFees: true }).map(({ name }) => name)

test.each(['client', 'partner', 'owner'] as const)(
  'after G, the letter of each page of a %s opens that page',
  role => {
    const pages = pagesOf(role)
    for (const name of pages)
      expect(shortcutOf(pageKeys[name], { isAfterG: true, pages })).toEqual({ type: 'open_page', name })
  },
)

test('after G, a letter of a page that the user does not have does nothing', () => {
  expect(shortcutOf('i', { isAfterG: true, pages: pagesOf('client') })).toBeUndefined()
  expect(shortcutOf('g', { isAfterG: true, pages: pagesOf('client') })).toBeUndefined()
})

test('without G, the letter of a page does not open the page', () => {
  expect(shortcutOf('p', { isAfterG: false, pages: pagesOf('client') })).toBeUndefined()
})

test('N creates a payment only for a user who has the page with payments', () => {
  expect(shortcutOf('N', { isAfterG: false, pages: pagesOf('client') })).toEqual({ type: 'create_payment' })
  expect(shortcutOf('n', { isAfterG: false, pages: pagesOf('owner') })).toBeUndefined()
})
