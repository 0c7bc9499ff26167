import { useKnownAccounts } from '../routing/known-accounts.ts'

/** Shows a provider account's name by its ID. For an unknown account, it shows the end of the ID. */
export function AccountName({ id }: { id: string }) {
  const account = useKnownAccounts().find(each => each.id === id)
  return <>{account?.name ?? `…${id.slice(-6)}`}</>
}
