import { useKnownAccounts } from '../routing/known-accounts.ts'

/** The name of a provider account. If only the id is known, its end is shown. */
export function AccountName({ id }: { id: string }) {
  const account = useKnownAccounts().find(each => each.id === id)
  return <>{account?.name ?? `…${id.slice(-6)}`}</>
}
