import { useKnownAccounts } from '../routing/known-accounts.ts'

/**
 * Shows the name of the provider account with this ID. If the account is unknown, the last six characters of
 * its ID are shown instead.
 */
export function AccountName({ id }: { id: string }) {
  const account = useKnownAccounts().find(each => each.id === id)
  return <>{account?.name ?? `…${id.slice(-6)}`}</>
}
