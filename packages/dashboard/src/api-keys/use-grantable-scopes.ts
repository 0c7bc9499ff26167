import { isGrantable, type KeyScope, keyScopes } from '@gapura/server/key-scope'
import { useAccount } from '../session/account.ts'

/**
 * Returns the scopes that the form offers: those the user may give a key, and those the key already has.
 * `scopesToSend` converts the chosen scopes to those sent to the server. For a user who may not give every scope, an
 * empty choice means all offered scopes, because an unrestricted key would have more. A key that is already
 * unrestricted stays so.
 */
export function useGrantableScopes(present?: readonly KeyScope[]) {
  const { permissions } = useAccount().user
  const offered = keyScopes.filter(scope => isGrantable(permissions, scope) || present?.includes(scope))
  const mayBeUnrestricted = present?.length === 0 || keyScopes.every(scope => isGrantable(permissions, scope))
  const scopesToSend = (chosen: KeyScope[]): KeyScope[] =>
    chosen.length === 0 && !mayBeUnrestricted ? offered : chosen
  return { offered, mayBeUnrestricted, scopesToSend }
}
