// An API key's scopes limit which operations it may call. A key without scopes may call all operations for API
// keys.

import { isPermitted, type NeededPermission, type Permission } from '../users/permission.ts'

export const keyScopes = ['payments:read', 'payments:write', 'refunds', 'payouts', 'reports'] as const
/**
 * - payments:read: read payments, payment methods, webhook events and the request log
 * - payments:write: create and cancel payments; includes `payments:read`
 * - refunds: refund payments and read refunds
 * - payouts: paying out balances
 * - reports: read balances and ledgers
 */
export type KeyScope = (typeof keyScopes)[number]

/** The scopes that a procedure requires. A key needs only one of the listed scopes. */
export type NeededScope = KeyScope | readonly KeyScope[]

export const scopesIn = (needed: NeededScope): readonly KeyScope[] =>
  typeof needed === 'string' ? [needed] : needed

export const isInScope = (held: readonly KeyScope[], needed: NeededScope): boolean =>
  held.length === 0 ||
  scopesIn(needed).some(
    scope => held.includes(scope) || (scope === 'payments:read' && held.includes('payments:write')),
  )

/** Returns the scopes of an API key: those it is limited to, or all scopes if it has no limitation. */
export const effectiveScopes = (held: readonly KeyScope[]): readonly KeyScope[] =>
  held.length === 0 ? keyScopes : held

/**
 * Returns the permission that a user needs to give an API key this scope. Refunds and payouts move money, so a user
 * who may only manage keys cannot allow them.
 */
export const permissionToGrant = (scope: KeyScope): NeededPermission =>
  scope === 'refunds' || scope === 'payouts' ? 'finance' : 'developer'

export const isGrantable = (held: readonly Permission[], scope: KeyScope): boolean =>
  isPermitted(held, permissionToGrant(scope))

/**
 * Returns the scopes of a new API key whose creator chose none. The empty list, which means no restriction, is only
 * for a creator who can give all scopes.
 */
export function defaultScopes(held: readonly Permission[]): KeyScope[] {
  const grantable = keyScopes.filter(scope => isGrantable(held, scope))
  return grantable.length === keyScopes.length ? [] : grantable
}
