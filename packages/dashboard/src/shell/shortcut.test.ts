import { expect, test } from 'vitest'
import { navigationOf, type PageName } from './navigation.ts'
import { pageKeys, shortcutOf } from './shortcut.ts'

const pagesOf = (role: 'client' | 'partner' | 'owner'): PageName[] =>
  navigationOf({ role, user: { permissions: ['admin'] } }, { hasFees: true }).map(({ name }) => name)

test.each(['client', 'partner', 'owner'] as const)(
  'for a user with the role %s, pressing G and then the letter of a page opens this page',
  role => {
    const pages = pagesOf(role)
    for (const name of pages)
      expect(shortcutOf(pageKeys[name], { isAfterG: true, pages })).toEqual({ type: 'open_page', name })
  },
)

test("the keyboard shortcut of G and a letter does nothing if the user cannot open that letter's page", () => {
  expect(shortcutOf('i', { isAfterG: true, pages: pagesOf('client') })).toBeUndefined()
  expect(shortcutOf('g', { isAfterG: true, pages: pagesOf('client') })).toBeUndefined()
})

test('a letter opens its page only if the user has pressed G before it', () => {
  expect(shortcutOf('p', { isAfterG: false, pages: pagesOf('client') })).toBeUndefined()
})

test('N opens the test payment form only if the user can open the payments page', () => {
  expect(shortcutOf('N', { isAfterG: false, pages: pagesOf('client') })).toEqual({ type: 'create_payment' })
  expect(shortcutOf('n', { isAfterG: false, pages: pagesOf('owner') })).toBeUndefined()
})
