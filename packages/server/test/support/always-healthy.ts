import type { ProviderHealth } from '../../src/provider-accounts/provider-health.ts'

/** A health tracker that does nothing: every account accepts charges, and every inquiry is sent. */
export const unwatched: ProviderHealth = {
  watch: (_, __, call) => call(),
  chargeBound: () => undefined,
  isOpen: () => false,
  all: () => [],
  stop: () => {},
}
