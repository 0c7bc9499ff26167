import type { App } from '../app.ts'
import type { AppliedCallback } from './told-amounts.sql.ts'

/** The sums of money that a stored callback reports, in cents; read from its bytes by the adapter of today. */
export function toldAmounts(
  providers: App['providers'],
  { provider, providerAccountId, mode, ...request }: AppliedCallback,
): bigint[] {
  const reading = providers.get(provider)?.readCallback({ id: providerAccountId, mode }, request)
  if (!reading || !('reports' in reading)) return []
  return reading.reports.flatMap(({ fact }) => (fact.type === 'paid' ? [fact.amountPaid] : []))
}
