import { useKnownAccounts } from '../routing/known-accounts.ts'

/** A provider account as the Owner calls it, of which only the id is known here. */
export function AccountName({ id }: { id: string }) {
  const account = useKnownAccounts().find(each => each.id === id)
  return <>{account?.name ?? `…${id.slice(-6)}`}</>
}
