// Test mode shows data for test keys, and live mode shows data for live keys. Every page's URL contains the mode,
// so a copied link opens in the same mode. If a URL contains no mode, the page uses the mode last stored by the
// browser.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

export type Mode = 'live' | 'test'

export const isMode = (value: unknown): value is Mode => value === 'live' || value === 'test'

const STORAGE_KEY = 'gapura-mode'

/**
 * Returns the mode (live or test) to use if the URL contains no mode. Test mode is the default, because a new merchant
 * starts with test-mode API keys.
 */
export const storedMode = (): Mode => (localStorage.getItem(STORAGE_KEY) === 'live' ? 'live' : 'test')

export const storeMode = (mode: Mode): void => localStorage.setItem(STORAGE_KEY, mode)

/**
 * Returns the mode (live or test) from the URL, and a function that changes this mode. The function leaves the
 * rest of the URL as it is.
 */
export function useMode(): [Mode, (mode: Mode) => void] {
  const { mode } = useSearch({ from: '/inside' })
  const navigate = useNavigate()
  const setMode = (chosen: Mode) =>
    void navigate({ to: '.', search: before => ({ ...before, mode: chosen }), replace: true })
  return [mode ?? storedMode(), setMode]
}

/** Switches the page to the mode (live or test) of the object it shows. */
export function useModeOf(shown: { mode: Mode } | undefined): void {
  const [mode, setMode] = useMode()
  const isOther = shown !== undefined && shown.mode !== mode
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an object of the other mode switches the mode
  useEffect(() => {
    if (isOther) setMode(shown.mode)
  }, [isOther])
}
