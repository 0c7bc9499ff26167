// The dashboard's keyboard shortcuts. Users can switch them off, because speech input can press single keys by mistake
// (WCAG 2.2, criterion 2.1.4).

import type { PageName } from './navigation.ts'

/** These letters open pages when pressed after G. Two pages may share a letter only if no user can open both. */
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
 * Returns the action of the pressed key, or undefined if the key has no action. `isAfterG` is true if the previous key
 * was G: G and then a page's key open the page. `pages` are the pages that the user can open.
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

/** Calls `open` when the shortcut list is requested. Returns a function that unregisters `open`. */
export function onShowShortcuts(open: () => void): () => void {
  helpRequests.addEventListener('request', open)
  return () => helpRequests.removeEventListener('request', open)
}
