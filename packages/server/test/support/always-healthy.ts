import type { ProviderHealth } from '../../src/provider-accounts/provider-health.ts'

/**
 * A replacement for the tracker of provider health. It treats every provider account as healthy, so every charge
 * and status inquiry is sent.
 */
export const alwaysHealthy: ProviderHealth = {
  monitor: (_, __, call) => call(),
  exceededChargeLimit: () => undefined,
  reserveCharge: () => undefined,
  isOpen: () => false,
  isClosed: () => true,
  all: () => [],
  stop: () => {},
}
