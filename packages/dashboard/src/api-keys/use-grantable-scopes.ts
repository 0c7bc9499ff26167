import { isGrantable, type KeyScope, keyScopes } from '@gapura/server/key-scope'
import { useAccount } from '../session/account.ts'

/**
 * Returns the scopes that the form offers: the scopes that the user may give a key, and those that the key already has.
 * Also returns `scopesToSend`, which converts the chosen scopes to the scopes sent to the server.
 */
export function useGrantableScopes(present?: readonly KeyScope[]) {
  const { permissions } = useAccount().user
  const offered = keyScopes.filter(scope => isGrantable(permissions, scope) || present?.includes(scope))
  // A key without scopes is unrestricted. Only a user who may give every scope can create an unrestricted key, but an
  // existing unrestricted key may stay unrestricted.
  const mayBeUnrestricted = present?.length === 0 || keyScopes.every(scope => isGrantable(permissions, scope))
  const scopesToSend = (chosen: KeyScope[]): KeyScope[] =>
    chosen.length === 0 && !mayBeUnrestricted ? offered : chosen
  return { offered, mayBeUnrestricted, scopesToSend }
}
