// Test mode shows the data of test keys, and live mode shows the data of live keys. The URL of every page contains
// the mode, so a link opens in the mode in which it was copied. For a URL without a mode, the page uses the last
// mode, which the browser stores.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

export type Mode = 'live' | 'test'

export const isMode = (value: unknown): value is Mode => value === 'live' || value === 'test'

const STORAGE_KEY = 'gapura-mode'

/**
 * Returns the mode for a URL without a mode. Test mode is the default, because a new merchant starts with API
 * keys for test mode.
 */
export const storedMode = (): Mode => (localStorage.getItem(STORAGE_KEY) === 'live' ? 'live' : 'test')

export const storeMode = (mode: Mode): void => localStorage.setItem(STORAGE_KEY, mode)

/** Returns the mode (live or test) in the URL, and a function that changes only the mode in the URL. */
export function useMode(): [Mode, (mode: Mode) => void] {
  const { mode } = useSearch({ from: '/inside' })
  const navigate = useNavigate()
  const setMode = (chosen: Mode) =>
    void navigate({ to: '.', search: before => ({ ...before, mode: chosen }), replace: true })
  return [mode ?? storedMode(), setMode]
}

/**
 * Switches the URL to the mode (live or test) of the object that a page shows, for example if a test payment is
 * opened in live mode. All other data on the page then has the same mode.
 */
export function useModeOf(shown: { mode: Mode } | undefined): void {
  const [mode, setMode] = useMode()
  const isOther = shown !== undefined && shown.mode !== mode
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mode is switched only when the page shows an object of the other mode
  useEffect(() => {
    if (isOther) setMode(shown.mode)
  }, [isOther])
}
