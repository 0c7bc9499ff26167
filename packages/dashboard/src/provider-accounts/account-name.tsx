import { useKnownAccounts } from '../routing/known-accounts.ts'

/** The name of a provider account, found by its id. An unknown account is shown by the end of its id. */
export function AccountName({ id }: { id: string }) {
  const account = useKnownAccounts().find(each => each.id === id)
  return <>{account?.name ?? `…${id.slice(-6)}`}</>
}
