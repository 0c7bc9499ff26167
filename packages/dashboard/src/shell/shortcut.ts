// The keyboard shortcuts of the dashboard. G and then a letter open a page. Users can switch the shortcuts off, because
// speech input can press single keys unintentionally (WCAG 2.2, success criterion 2.1.4).

import type { PageName } from './navigation.ts'

/** The letter that opens a page after G. Two pages may have the same letter only if no user can open both. */
export const pageKeys: Record<PageName, string> = {
  overview: 'o',
  payments: 'p',
  refunds: 'r',
  ledger: 'l',
  fees: 'f',
  methods: 'm',
  webhooks: 'w',
  apiKeys: 'k',
  requests: 'q',
  users: 'u',
  security: 'y',
  settings: 's',
  clients: 't',
  tenants: 't',
  limits: 'l',
  providers: 'p',
  health: 'h',
  callbacks: 'c',
  inbox: 'i',
  reconciliation: 'n',
  audit: 'a',
}

export type Shortcut =
  | { type: 'await_page' }
  | { type: 'open_page'; name: PageName }
  | { type: 'focus_search' }
  | { type: 'create_payment' }
  | { type: 'show_help' }

/**
 * Returns what a pressed key does, or undefined if it does nothing. `isAfterG` is true if the previous key was G. `pages`
 * are the pages that the user has.
 */
export function shortcutOf(
  key: string,
  { isAfterG, pages }: { isAfterG: boolean; pages: PageName[] },
): Shortcut | undefined {
  const letter = key.toLowerCase()
  if (isAfterG) {
    const name = pages.find(each => pageKeys[each] === letter)
    return name && { type: 'open_page', name }
  }
  if (letter === 'g') return { type: 'await_page' }
  if (letter === '/') return { type: 'focus_search' }
  if (letter === '?') return { type: 'show_help' }
  if (letter === 'n' && pages.includes('payments')) return { type: 'create_payment' }
  return undefined
}

const STORAGE_KEY = 'gapura-shortcuts'

export const areShortcutsOn = (): boolean => localStorage.getItem(STORAGE_KEY) !== 'off'

export const setShortcutsOn = (isOn: boolean): void =>
  isOn ? localStorage.removeItem(STORAGE_KEY) : localStorage.setItem(STORAGE_KEY, 'off')

const helpRequests = new EventTarget()

/** Opens the list of keyboard shortcuts. */
export const showShortcuts = (): void => void helpRequests.dispatchEvent(new Event('request'))

/**
 * Registers a function that opens the list of shortcuts. Returns a function that removes the registration.
 */
export function onShowShortcuts(open: () => void): () => void {
  helpRequests.addEventListener('request', open)
  return () => helpRequests.removeEventListener('request', open)
}
