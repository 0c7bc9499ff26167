// Test mode shows data of test keys, live mode data of live keys. The choice is stored in the browser.

import { useLocalStorage } from '@mantine/hooks'

export type Mode = 'live' | 'test'

/** Test mode is the default because a new merchant starts with test keys. */
export const useMode = () =>
  useLocalStorage<Mode>({ key: 'gapura-mode', defaultValue: 'test', getInitialValueInEffect: false })
