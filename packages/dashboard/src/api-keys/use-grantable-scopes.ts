import { isGrantable, type KeyScope, keyScopes } from '@gapura/server/key-scope'
import { useAccount } from '../session/account.ts'

/**
 * Returns the scopes that the form offers: the scopes that the user may give a key, and those that the key already has.
 *
 * Also returns `scopesToSend`, which converts the chosen scopes to the scopes sent to the server. A key without scopes
 * is unrestricted. Only a user who may give every scope can create such a key, but a key that is already unrestricted
 * may stay so. If the user chooses no scope and the key must not be unrestricted, `scopesToSend` returns all offered
 * scopes.
 */
export function useGrantableScopes(present?: readonly KeyScope[]) {
  const { permissions } = useAccount().user
  const offered = keyScopes.filter(scope => isGrantable(permissions, scope) || present?.includes(scope))
  const mayBeUnrestricted = present?.length === 0 || keyScopes.every(scope => isGrantable(permissions, scope))
  const scopesToSend = (chosen: KeyScope[]): KeyScope[] =>
    chosen.length === 0 && !mayBeUnrestricted ? offered : chosen
  return { offered, mayBeUnrestricted, scopesToSend }
}
