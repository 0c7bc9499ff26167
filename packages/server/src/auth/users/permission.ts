// A user's permissions within a tenant. The tenant's role determines which operations its users can be
// permitted to call (tenants/tenant.ts). The user's permissions determine which of these operations the user
// may call (api/trpc.ts).

export const permissions = ['admin', 'developer', 'finance', 'support', 'viewer'] as const
/**
 * - admin: everything, including the team and the tenant's settings
 * - developer: API keys, webhooks, callbacks and the request log
 * - finance: refunds, payouts, exports, statements and decisions about money
 * - support: redelivering webhooks
 * - viewer: read payments, balances, reports and settings
 *
 * Every permission includes `viewer`.
 */
export type Permission = (typeof permissions)[number]

/**
 * The permissions that a procedure requires. A user needs only one of the listed permissions. With `self`, every user
 * may call the procedure, because it concerns only the caller, for example changing one's own password.
 */
export type NeededPermission = 'self' | Permission | readonly Permission[]

/** Returns every permission that allows a user to call the procedure. */
export function permissionsThatAllow(needed: NeededPermission): readonly Permission[] {
  if (needed === 'self') return permissions
  const named = typeof needed === 'string' ? [needed] : needed
  return permissions.filter(each => each === 'admin' || named.includes(each) || named.includes('viewer'))
}

export const isPermitted = (held: readonly Permission[], needed: NeededPermission): boolean =>
  permissionsThatAllow(needed).some(each => held.includes(each))
