import { expect, test } from 'vitest'
import { navigationOf, type PageName } from './navigation.ts'
import { pageKeys, shortcutOf } from './shortcut.ts'

const pagesOf = (role: 'client' | 'partner' | 'owner'): PageName[] =>
  navigationOf({ role, user: { permissions: ['admin'] } }, { hasFees: true }).map(({ name }) => name)

test.each(['client', 'partner', 'owner'] as const)(
  'for a %s, G followed by the letter of a page opens this page',
  role => {
    const pages = pagesOf(role)
    for (const name of pages)
      expect(shortcutOf(pageKeys[name], { isAfterG: true, pages })).toEqual({ type: 'open_page', name })
  },
)

test('G and then a letter do nothing if the user cannot open the page with this letter', () => {
  expect(shortcutOf('i', { isAfterG: true, pages: pagesOf('client') })).toBeUndefined()
  expect(shortcutOf('g', { isAfterG: true, pages: pagesOf('client') })).toBeUndefined()
})

test('the letter of a page opens the page only after G', () => {
  expect(shortcutOf('p', { isAfterG: false, pages: pagesOf('client') })).toBeUndefined()
})

test('N opens the form for a test payment only if the user can open the payments page', () => {
  expect(shortcutOf('N', { isAfterG: false, pages: pagesOf('client') })).toEqual({ type: 'create_payment' })
  expect(shortcutOf('n', { isAfterG: false, pages: pagesOf('owner') })).toBeUndefined()
})
