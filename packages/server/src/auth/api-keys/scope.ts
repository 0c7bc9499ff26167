// An API key's scopes limit which operations it may call. A key without scopes may call all operations for API
// keys.

export const keyScopes = ['payments:read', 'payments:write', 'refunds', 'payouts', 'reports'] as const
/**
 * - payments:read: read payments, payment methods, webhook events and the request log
 * - payments:write: create and cancel payments; includes `payments:read`
 * - refunds: refunding payments
 * - payouts: paying out balances
 * - reports: read balances and ledgers
 */
export type KeyScope = (typeof keyScopes)[number]

export const isInScope = (held: readonly KeyScope[], needed: KeyScope): boolean =>
  held.length === 0 ||
  held.includes(needed) ||
  (needed === 'payments:read' && held.includes('payments:write'))
