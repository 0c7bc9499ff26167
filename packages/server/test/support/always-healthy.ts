import type { ProviderHealth } from '../../src/provider-accounts/provider-health.ts'

/** A health tracker that does nothing: every account accepts charges, and every inquiry is sent. */
export const alwaysHealthy: ProviderHealth = {
  monitor: (_, __, call) => call(),
  exceededChargeLimit: () => undefined,
  isOpen: () => false,
  all: () => [],
  stop: () => {},
}
