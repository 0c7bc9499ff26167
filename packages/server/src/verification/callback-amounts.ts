import type { Providers } from '../providers/provider.ts'
import type { AppliedCallback } from './callback-amounts.sql.ts'

/**
 * Returns the amounts, in cents, that a stored callback reports as paid. The current version of the provider's adapter
 * parses them from the callback's raw bytes.
 */
export function amountsInCallback(
  providers: Providers,
  { provider, providerAccountId, mode, ...request }: AppliedCallback,
): bigint[] {
  const reading = providers.get(provider)?.readCallback({ id: providerAccountId, mode }, request)
  if (!reading || !('updates' in reading)) return []
  return reading.updates.flatMap(({ fact }) => (fact.type === 'paid' ? [fact.amountPaid] : []))
}
