import type { ProviderHealth } from '../../src/provider-accounts/watch-health.ts'

/** Health that watches nothing: every account takes charges, and each question goes out. */
export const unwatched: ProviderHealth = {
  watch: (_, __, call) => call(),
  isOpen: () => false,
  all: () => [],
  stop: () => {},
}
