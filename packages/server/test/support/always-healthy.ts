import type { ProviderHealth } from '../../src/provider-accounts/provider-health.ts'

/** A provider health tracker that never takes an account out of use, so every charge and status inquiry is sent. */
export const alwaysHealthy: ProviderHealth = {
  monitor: (_, __, call) => call(),
  exceededChargeLimit: () => undefined,
  reserveCharge: () => undefined,
  isOpen: () => false,
  isClosed: () => true,
  all: () => [],
  stop: () => {},
}
