// Test mode shows what test keys did, live mode what live keys did. The choice is the browser's.

import { useLocalStorage } from '@mantine/hooks'

export type Mode = 'live' | 'test'

/** A merchant begins with test keys. */
export const useMode = () =>
  useLocalStorage<Mode>({ key: 'gapura-mode', defaultValue: 'test', getInitialValueInEffect: false })
