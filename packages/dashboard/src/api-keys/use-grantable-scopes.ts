import { isGrantable, type KeyScope, keyScopes } from '@gapura/server/key-scope'
import { useAccount } from '../session/account.ts'

/**
 * Returns the scopes that the form offers: those that the user may give a key, and those that the key already has.
 * Also returns `scopesToSend`, which converts the chosen scopes to those sent to the server. A key without scopes is
 * unrestricted. If no scope is chosen, but the user may not give every scope, `scopesToSend` returns all offered
 * scopes instead, unless the key is already unrestricted.
 */
export function useGrantableScopes(present?: readonly KeyScope[]) {
  const { permissions } = useAccount().user
  const offered = keyScopes.filter(scope => isGrantable(permissions, scope) || present?.includes(scope))
  const mayBeUnrestricted = present?.length === 0 || keyScopes.every(scope => isGrantable(permissions, scope))
  const scopesToSend = (chosen: KeyScope[]): KeyScope[] =>
    chosen.length === 0 && !mayBeUnrestricted ? offered : chosen
  return { offered, mayBeUnrestricted, scopesToSend }
}
