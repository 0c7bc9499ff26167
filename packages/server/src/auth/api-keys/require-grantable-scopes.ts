import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { type Permission, permissionsThatAllow } from '../users/permission.ts'
import { effectiveScopes, isGrantable, type KeyScope, permissionToGrant } from './scope.ts'

/** The user who manages an API key. Null if the operator runs a command on the server. */
export type KeyManager = (NonNullable<Manager> & { permissions: readonly Permission[] }) | null

/**
 * Throws FORBIDDEN if the user's permissions do not allow a scope that the API key would get. Without this check, a
 * developer could refund payments with a new key. Scopes that the key already has (`present`) are not checked.
 */
export function requireGrantableScopes(
  manager: KeyManager,
  wanted: readonly KeyScope[],
  { present = [], field }: { present?: readonly KeyScope[]; field?: string },
): void {
  if (manager === null) return
  const scope = effectiveScopes(wanted).find(
    each => !present.includes(each) && !isGrantable(manager.permissions, each),
  )
  if (scope === undefined) return
  throw fault(
    'scope_not_grantable',
    {
      scope,
      isUnrestricted: wanted.length === 0,
      needed: permissionsThatAllow(permissionToGrant(scope)),
      held: manager.permissions,
    },
    { field },
  )
}
