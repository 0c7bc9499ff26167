// Test mode shows the data of test keys, and live mode shows the data of live keys. The user's choice is stored in the
// browser.

import { useLocalStorage } from '@mantine/hooks'

export type Mode = 'live' | 'test'

/** Returns the current mode. Test mode is the default, because a new merchant starts with test keys. */
export const useMode = () =>
  useLocalStorage<Mode>({ key: 'gapura-mode', defaultValue: 'test', getInitialValueInEffect: false })
